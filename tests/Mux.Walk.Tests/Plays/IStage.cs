namespace Mux.Walk.Tests.Plays;

/// <summary>The methods that plays call.</summary>
[MuxService("walk.Stage")]
public interface IStage
{
    ValueTask<Line> Answer(Line line);

    IAsyncEnumerable<Line> Recite(Line first, CancellationToken cancellationToken = default);
}
