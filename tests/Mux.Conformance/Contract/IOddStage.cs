namespace Mux.Conformance.Contract;

/// <summary><see cref="IStage"/> with messages that the other side cannot read.</summary>
[MuxService("conformance.Stage")]
public interface IOddStage
{
    ValueTask<OddPayload> Ask(OddPayload request);

    ValueTask<OddPayload> Collect(IAsyncEnumerable<OddPayload> requests);

    IAsyncEnumerable<OddPayload> List(OddPayload request);
}
