namespace Mux.Conformance.Contract;

/// <summary>What a newer client believes <see cref="IStage"/> to be: there are methods more, and messages with fields more, and some methods have another shape.</summary>
[MuxService("conformance.Stage")]
public interface INewerStage
{
    ValueTask<NewerPayload> Ask(NewerPayload request, CancellationToken cancellationToken = default);

    IAsyncEnumerable<NewerPayload> Talk(IAsyncEnumerable<NewerPayload> requests, CancellationToken cancellationToken = default);

    ValueTask<NewerPayload> List(NewerPayload request, CancellationToken cancellationToken = default);

    IAsyncEnumerable<NewerPayload> Collect(IAsyncEnumerable<NewerPayload> requests, CancellationToken cancellationToken = default);

    ValueTask<NewerPayload> AskMore(NewerPayload request, CancellationToken cancellationToken = default);

    ValueTask<NewerPayload> CollectMore(IAsyncEnumerable<NewerPayload> requests, CancellationToken cancellationToken = default);

    IAsyncEnumerable<NewerPayload> ListMore(NewerPayload request, CancellationToken cancellationToken = default);

    IAsyncEnumerable<NewerPayload> TalkMore(IAsyncEnumerable<NewerPayload> requests, CancellationToken cancellationToken = default);

    [MuxMethod(OneWay = true)]
    ValueTask TellMore(NewerPayload request, CancellationToken cancellationToken = default);
}
