using System.Text;
using Mux.Protocol;

namespace Mux.ProtocolCases.Clients;

/// <summary>A call by the client, as far as it was read.</summary>
/// <param name="id">Id in its frames.</param>
/// <param name="method">Method from its definition.</param>
/// <param name="head">Head of its REQUEST.</param>
internal sealed class ClientCall(CallId id, string method, RequestHead head)
{
    public CallId Id => id;

    public string Method => method;

    public RequestHead Head => head;

    /// <summary>Received part of the request's body.</summary>
    public List<byte> Body { get; } = [];

    /// <summary>Length announced by the first fragment; -1 for a request in one frame.</summary>
    public int Total { get; set; } = -1;

    /// <summary>True once the request is complete.</summary>
    public bool IsWhole { get; set; }

    public List<byte[]> Items { get; } = [];

    /// <summary>Received part of an incomplete item.</summary>
    public List<byte>? PartialItem { get; set; }

    public int ItemTotal { get; set; }

    public bool HasEnded { get; set; }

    public bool IsCancelled { get; set; }

    /// <summary>Reason of the cancellation, if there was one.</summary>
    public CancelReason CancelReason { get; set; }

    public bool IsAnswered { get; set; }

    /// <summary>Credit of the client for items of the request.</summary>
    public long ItemCredit { get; set; }

    /// <summary>Credit of this side for items of the reply.</summary>
    public long ReplyCredit { get; set; }

    public string Text => Encoding.UTF8.GetString([.. Body]);
}
