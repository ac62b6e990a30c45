using Mux.Protocol;

namespace Mux.Engine;

/// <summary>The content of the first frame of a request in fragments.</summary>
internal sealed record RequestStart(DefinedMethod Method, RequestHead Head, long Due, InboundExtras? Extras)
{
    /// <summary>Gets the call of the request.</summary>
    /// <param name="replies">Sends the answer.</param>
    /// <param name="id">Id of the call.</param>
    public InboundCall CallOf(ReplyPort replies, CallId id) => new(
        replies, Method.Method, id, (Head.Options & RequestOptions.OneWay) != 0, Due, InTurn: true, Extras: Extras, Ordinal: Head.Ordinal,
        IsForwarded: Head.IsForwarded);
}
