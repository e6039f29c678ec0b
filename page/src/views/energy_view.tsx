// Energy and score of a launch, and of what is beside it: estimates, with the figures they are made of.
import { energyShares, figureRows, joulesText, parts, scoresOf } from "../model/energy.ts";
import { percent, type EnergyFigures, type Pipes } from "../model/pipes.ts";

interface Shown {
  name: string;
  pipes: Pipes;
}

// As long as its joules, of those that take most.
function Bar({ pipes, most }: { pipes: Pipes; most: number }) {
  const energy = pipes.energy!;
  return (
    <span class="energy-bar" aria-hidden="true" style={{ width: `${(100 * energy.joules) / most}%` }}>
      {energyShares(energy).map((one) => (
        <span key={one.part} class={`part part-${parts.findIndex(([part]) => part === one.part)}`} style={{ flexGrow: one.share }}>
          {one.share > 0.12 ? `${one.name} ${percent(one.share)}` : ""}
        </span>
      ))}
    </span>
  );
}

function Heads({ first, shown }: { first: string; shown: Shown[] }) {
  return (
    <thead>
      <tr>
        <th scope="col">{first}</th>
        {shown.map((one) => (
          <th key={one.name} scope="col">
            {one.name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function EnergyTable({ shown, range }: { shown: Shown[]; range: number }) {
  return (
    <table class="pipes-table energy-table">
      <caption>Energy, ±{percent(range)}</caption>
      <Heads first="where" shown={shown} />
      <tbody>
        {parts
          .filter(([part]) => shown.some(({ pipes }) => (pipes.energy?.[part] ?? 0) > 0))
          .map(([part, name]) => (
            <tr key={part} data-energy={part} data-joules={shown[0]!.pipes.energy![part]}>
              <th scope="row">{name}</th>
              {shown.map(({ name: of, pipes }) => (
                <td key={of}>
                  {pipes.energy ? `${joulesText(pipes.energy[part])}, ${percent(pipes.energy.joules > 0 ? pipes.energy[part] / pipes.energy.joules : 0)}` : "not known"}
                </td>
              ))}
            </tr>
          ))}
        <tr data-energy="joules" data-joules={shown[0]!.pipes.energy!.joules}>
          <th scope="row">together</th>
          {shown.map(({ name, pipes }) => (
            <td key={name}>
              <strong>{pipes.energy ? joulesText(pipes.energy.joules) : "not known"}</strong>
            </td>
          ))}
        </tr>
      </tbody>
    </table>
  );
}

function ScoreTable({ shown }: { shown: Shown[] }) {
  return (
    <table class="pipes-table">
      <caption>Score</caption>
      <Heads first="results" shown={shown} />
      <tbody>
        {scoresOf(shown[0]!.pipes).map((row) => (
          <tr key={row.words}>
            <th scope="row">{row.words}</th>
            {shown.map(({ name, pipes }) => {
              const score = scoresOf(pipes).find((one) => one.words === row.words);
              return <td key={name}>{score ? `${score.perSecond}${score.perJoule ? `, ${score.perJoule}` : ""}` : ""}</td>;
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function EnergyView({ shown, figures, device }: { shown: Shown[]; figures: EnergyFigures | null; device: string }) {
  const most = Math.max(...shown.map(({ pipes }) => pipes.energy?.joules ?? 0));
  const known = figures !== null && shown[0]!.pipes.energy !== null;
  return (
    <section class="energy" aria-labelledby="energy-title">
      <h2 id="energy-title">Energy and score</h2>
      {known ? (
        shown
          .filter(({ pipes }) => pipes.energy)
          .map(({ name, pipes }) => (
            <p key={name} class="energy-row">
              <span>
                {name}: <strong>{joulesText(pipes.energy!.joules)}</strong>
              </span>
              <Bar pipes={pipes} most={most} />
            </p>
          ))
      ) : (
        <p class="quiet">The energy is not known: nobody has published figures of a {device} by one method.</p>
      )}
      <div class="scroll tables" tabIndex={0} role="region" aria-label="energy and score as tables">
        {known && <EnergyTable shown={shown} range={figures.range} />}
        <ScoreTable shown={shown} />
      </div>
      {known && (
        <details>
          <summary>Where the figures are from</summary>
          <p>
            Measured on a {figures.measured_on}: {figures.source}. Good for comparing two versions of one problem on one device; ±{percent(figures.range)}, and never a condition of a verdict.
          </p>
          <table class="pipes-table">
            <caption>Energy figures</caption>
            <tbody>
              {figureRows(figures).map(([what, figure]) => (
                <tr key={what}>
                  <th scope="row">{what}</th>
                  <td>{figure}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </section>
  );
}
