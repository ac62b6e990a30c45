using Mux.Protocol;

namespace Mux.Push;

/// <summary>A call of another server, which has come by the relay.</summary>
/// <param name="Method">The method, as this server knows it.</param>
/// <param name="Envelope">What has come.</param>
internal readonly record struct GroupArrival(GroupMethod Method, GroupEnvelope Envelope)
{
    /// <summary>Reads a message. One that is no call of this side is told and skipped.</summary>
    /// <param name="kind">What the groups share.</param>
    /// <param name="channel">Where it has come.</param>
    /// <param name="message">The message.</param>
    /// <param name="arrival">The call.</param>
    /// <returns>False if it is skipped, or was sent from here.</returns>
    public static bool TryRead(GroupKind kind, string channel, ReadOnlyMemory<byte> message, out GroupArrival arrival)
    {
        arrival = default;
        if (GroupEnvelope.OriginOf(message.Span) == kind.Origin) return false;
        var reason = GroupEnvelope.TryRead(message, out var envelope);
        var method = reason is null ? kind.Methods.Find(envelope.Method) : null;
        if (method is null)
        {
            kind.Relay!.OnUnreadable(channel, reason ?? $"it calls {envelope.Method}, which is no one-way method of {kind.Methods.Service} here.");
            return false;
        }

        arrival = new GroupArrival(method, envelope);
        return true;
    }

    /// <summary>Hands the call to members in this process.</summary>
    /// <param name="kind">What the groups share.</param>
    /// <param name="members">The members.</param>
    /// <param name="label">Names their group for people.</param>
    /// <param name="except">The members that do not get it; null if all do.</param>
    public void Deliver(GroupKind kind, GroupMember[] members, GroupLabel label, GroupExcept? except)
    {
        var body = Envelope.Body.Span;
        var bulk = body.Length > ProtocolConstants.MaxWholeBody ? BulkMessage.Copy(body) : null;
        GroupDelivery.Run(kind, members, label, Method, body, bulk, Envelope.Options, except);
        bulk?.LetGo();
    }
}
