using System.Text;
using Mux.Wire;

namespace Mux.ProtocolCases.Clients;

/// <summary>A call that the client made, as far as it was read.</summary>
/// <param name="id">Of its frames.</param>
/// <param name="method">As it was defined.</param>
/// <param name="head">Of its REQUEST.</param>
internal sealed class ClientCall(CallId id, string method, RequestHead head)
{
    public CallId Id => id;

    public string Method => method;

    public RequestHead Head => head;

    /// <summary>The body of the request, as far as it has come.</summary>
    public List<byte> Body { get; } = [];

    /// <summary>Announced by the first fragment; -1 for a request in one frame.</summary>
    public int Total { get; set; } = -1;

    /// <summary>Whether the whole request is there.</summary>
    public bool IsWhole { get; set; }

    public List<byte[]> Items { get; } = [];

    /// <summary>An item that is not whole, and its length.</summary>
    public List<byte>? PartialItem { get; set; }

    public int ItemTotal { get; set; }

    public bool HasEnded { get; set; }

    public bool IsCancelled { get; set; }

    /// <summary>Why it was cancelled, where it was.</summary>
    public CancelReason CancelReason { get; set; }

    public bool IsAnswered { get; set; }

    /// <summary>What the client may still send of items before it has to wait.</summary>
    public long ItemCredit { get; set; }

    /// <summary>What this side may still send of items.</summary>
    public long ReplyCredit { get; set; }

    public string Text => Encoding.UTF8.GetString([.. Body]);
}
