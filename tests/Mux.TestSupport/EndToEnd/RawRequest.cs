using Mux.Protocol;
using Mux.TestSupport.Connections;

namespace Mux.TestSupport.EndToEnd;

/// <summary>A request as a <see cref="RawServer"/> sees it, and its answers. Any thread.</summary>
/// <param name="Send">Sends bytes on its connection.</param>
/// <param name="Lose">Ends its connection without a word.</param>
/// <param name="Id">Id of the call.</param>
/// <param name="Options">Options in its head.</param>
/// <param name="Body">The encoded message.</param>
/// <param name="Number">Its number at the server, from 1.</param>
internal sealed record RawRequest(Action<byte[]> Send, Action Lose, CallId Id, RequestOptions Options, byte[] Body, int Number)
{
    /// <summary>True if it says that it is a retry.</summary>
    public bool IsRetry => (Options & RequestOptions.Retry) != 0;

    public void Respond(params byte[] body) => Send(ScriptedPeer.Frame(FrameKind.Response, Id, body));

    public void SendItem(params byte[] body) => Send(ScriptedPeer.Frame(FrameKind.ResponseItem, Id, body));

    public void Fail(MuxStatus status, MuxExecution execution, uint retryAfterMilliseconds = 0)
    {
        var payload = new byte[FailFrame.MaxWrittenLength];
        int length = new FailFrame((byte)status, execution, retryAfterMilliseconds, "The test fails it.").Write(payload);
        Send(ScriptedPeer.Frame(FrameKind.Fail, Id, payload.AsSpan(0, length)));
    }
}
