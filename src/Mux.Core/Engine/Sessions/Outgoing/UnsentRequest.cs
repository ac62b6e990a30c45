using Mux.Protocol;

namespace Mux.Engine;

/// <summary>
/// Takes the request of an open call back out of the outgoing queue, when the connection has ended and no byte of it was handed to the link. Another connection
/// may then send it, without a copy that would have been kept for that.
/// </summary>
internal static class UnsentRequest
{
    /// <summary>Takes back open calls that were not sent, with their requests, to the head of a list.</summary>
    /// <param name="session">The session of the connection that has ended, and whose queue still has its bytes.</param>
    /// <param name="slots">The slots in which the calls were open.</param>
    /// <param name="unsent">The calls, linked by <see cref="OutgoingCall.Next"/>.</param>
    /// <param name="onTakenBack">Called for each call that is taken back.</param>
    /// <param name="list">The list.</param>
    /// <returns>Those whose requests are gone.</returns>
    public static OutgoingCall? TakeBackLocked(
        Session session, CallSlots slots, OutgoingCall? unsent, Action<OutgoingCall> onTakenBack, ref OutgoingCall? list)
    {
        session.AssertLocked();
        OutgoingCall? lost = null;
        while (unsent is { } call)
        {
            unsent = call.Next;
            bool isBack = TryTakeBackLocked(session, call, slots.PositionOfLocked(call.Id.Slot));
            if (isBack) onTakenBack(call);
            ref var target = ref lost;
            if (isBack) target = ref list;
            call.Next = target;
            target = call;
        }

        return lost;
    }

    /// <summary>Takes back the request of a call, which is no longer open.</summary>
    /// <param name="session">The session of the connection that has ended, and whose queue still has its bytes.</param>
    /// <param name="call">The call.</param>
    /// <param name="position">Position of its REQUEST in the byte stream.</param>
    /// <returns>
    /// False if that is not possible: the producer of a request stream has begun, and what it has yielded cannot be had again. The call is then untouched.
    /// </returns>
    private static bool TryTakeBackLocked(Session session, OutgoingCall call, long position)
    {
        session.AssertLocked();
        if (call is OutgoingStreamCall streams && (streams.HasRequestStream || streams.Window?.TryGiveBack() == false)) return false;
        if (call.Flow?.Request is { } bulk)
        {
            call.Bulk = bulk.Share(); // all of its fragments come after the REQUEST, so those that have left the lane are in the queue, and hold the array
            return true;
        }

        var frame = session.Outbound.PeekLocked(position);
        if (frame.IsEmpty) return false;
        var header = FrameHeader.Read(frame);
        var payload = frame.Slice(FrameHeader.Size, header.Length);
        if (!RequestHead.TryRead(payload, out var head, out _)) return false;
        int metadata = 0;
        if ((header.Flags & FrameFlags.Meta) != 0 && !MetadataBlock.TryMeasure(call.Extras?.Metadata, ushort.MaxValue, out metadata)) return false;
        CallQueue.HoldBody(call, payload[(head.Length + metadata)..]);
        return true;
    }
}
