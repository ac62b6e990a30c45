namespace Mux.Sessions.Incoming;

/// <summary>A part of an answer that is larger than the peer accepts, so that the call failed.</summary>
/// <param name="Part">One of the names below.</param>
/// <param name="Reason">Its length, the limit of the peer, and what to change: whole sentences.</param>
internal sealed record UnsentPart(string Part, string Reason)
{
    public const string Reply = "reply";
    public const string Metadata = "metadata";
    public const string Item = "item";
}
