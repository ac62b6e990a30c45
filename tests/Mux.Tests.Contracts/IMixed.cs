namespace Mux.Tests.Contracts;

/// <summary>A call of every kind. Each is known by the id of its question, and its text says what the handler does.</summary>
[MuxService("t.Mixed")]
public interface IMixed
{
    [MuxError<Blame>(1)]
    ValueTask<Answer> Ask(Question question, MuxCallOptions? options = null, CancellationToken cancellationToken = default);

    [MuxMethod(OneWay = true)]
    ValueTask Tell(Question question);

    IAsyncEnumerable<Answer> List(Question question, CancellationToken cancellationToken = default);

    ValueTask<Answer> Sum(Question question, IAsyncEnumerable<Question> items, CancellationToken cancellationToken = default);

    IAsyncEnumerable<Answer> Talk(Question question, IAsyncEnumerable<Question> items, CancellationToken cancellationToken = default);

    ValueTask<Stream> Download(Question question, CancellationToken cancellationToken = default);
}
