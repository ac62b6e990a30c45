using System.Buffers.Binary;

namespace Mux.Tool.Faults;

/// <summary>Commits the fault in the bytes sent on one link. Processes only complete frames and keeps the rest. Not thread-safe.</summary>
internal sealed class ResponseFaults(FaultPlan plan)
{
    // PROTOCOL.md sections 1.1 and 2: the preface, then frames with a header of 8 bytes.
    private const int PrefaceLength = 8;
    private const int HeaderLength = 8;
    private const int LengthMask = 0xFF_FFFF;
    private const int KindShift = 24;
    private const int KindMask = 0x1F;
    private const int ResponseKind = 0x10;
    private const int IdOffset = 4;

    private readonly List<byte> _partial = [];
    private bool _prefacePassed;
    private int _replies;

    /// <summary>Processes the next bytes of the stream, and appends the bytes to send now to <paramref name="output"/>.</summary>
    public void Pass(ReadOnlySpan<byte> bytes, List<byte> output)
    {
        _partial.AddRange(bytes);
        var stream = _partial.ToArray();
        int consumed = 0;
        int swapWith = -1; // start of the reply in the output that waits for another to be swapped with
        if (!_prefacePassed)
        {
            if (stream.Length < PrefaceLength) return;
            _prefacePassed = true;
            consumed = PrefaceLength;
            output.AddRange(stream.AsSpan(0, PrefaceLength));
        }

        while (TryReadFrame(stream.AsSpan(consumed), out var frame))
        {
            consumed += frame.Length;
            if (IsDueReply(frame)) PassFaulty(frame, output, ref swapWith);
            else output.AddRange(frame);
        }

        _partial.RemoveRange(0, consumed);
    }

    private void PassFaulty(ReadOnlySpan<byte> reply, List<byte> output, ref int swapWith)
    {
        int at = output.Count;
        switch (plan.Fault)
        {
            case Fault.Drop when plan.TryCommit():
                return;
            case Fault.Double when plan.TryCommit():
                output.AddRange(reply);
                break;
            case Fault.Swap when swapWith < 0:
                swapWith = at;
                break;
            case Fault.Swap when plan.TryCommit():
                output.AddRange(reply);
                SwapIds(output, swapWith, at);
                return;
        }

        output.AddRange(reply);
    }

    /// <summary>Swaps the ids, so that each call gets the reply of the other.</summary>
    private static void SwapIds(List<byte> output, int first, int second)
    {
        for (int i = IdOffset; i < HeaderLength; i++) (output[first + i], output[second + i]) = (output[second + i], output[first + i]);
    }

    private static bool TryReadFrame(ReadOnlySpan<byte> stream, out ReadOnlySpan<byte> frame)
    {
        frame = default;
        if (stream.Length < HeaderLength) return false;
        int length = HeaderLength + (BinaryPrimitives.ReadInt32LittleEndian(stream) & LengthMask);
        if (stream.Length < length) return false;
        frame = stream[..length];
        return true;
    }

    private bool IsDueReply(ReadOnlySpan<byte> frame)
    {
        bool isReply = (BinaryPrimitives.ReadInt32LittleEndian(frame) >> KindShift & KindMask) == ResponseKind;
        return isReply && ++_replies > FaultPlan.RepliesBefore && plan.IsOpen;
    }
}
