using System.Runtime.CompilerServices;
using Mux.Conformance.Contract;

namespace Mux.Conformance.Suite;

/// <summary>The large call that others agree on: so many bytes up, so many down.</summary>
public static class LargeCall
{
    private const int Request = 271_828;
    private const int Reply = 314_159;

    private static readonly Payload s_request = Payloads.OfSize(Request);
    private static readonly Payload s_reply = Payloads.OfSize(Reply);

    public static Script Script { get; } = AnswerAsync;

    public static async Task MakeAsync(IStage stage)
    {
        var reply = await stage.Ask(s_request);
        Assert.True(s_reply.Body.AsSpan().SequenceEqual(reply.Body), $"The {Reply} bytes of the reply arrived as {reply.Body.Length} others.");
    }

    private static async IAsyncEnumerable<Payload> AnswerAsync(IAsyncEnumerable<Payload> requests, MuxCallOptions options, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await foreach (var request in requests.WithCancellation(cancellationToken))
        {
            if (!s_request.Body.AsSpan().SequenceEqual(request.Body)) throw new MuxException(MuxStatus.DataLoss, "The request arrived as another one.");
            yield return s_reply;
        }
    }
}
