using System.Runtime.CompilerServices;

namespace Mux.Walk.Tests.Plays;

/// <summary>Handlers that complete at once.</summary>
internal sealed class Stage : IStage
{
    public ValueTask<Line> Answer(Line line) => new(line);

    public async IAsyncEnumerable<Line> Recite(Line first, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await Task.CompletedTask;
        for (int i = 0; i < first.Number; i++) yield return first;
    }
}
