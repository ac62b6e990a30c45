using Mux.Protocol;

namespace Mux.Engine;

/// <summary>The rules for the fragments of a message after its first frame (PROTOCOL.md section 6.1).</summary>
internal static class FragmentRules
{
    /// <summary>Gets the number of fragments that are accepted: each costs work however little it carries.</summary>
    public static int MaxFragmentsOf(int length) => (length / ProtocolConstants.LeastMeanFragment) + ProtocolConstants.ExtraFragments;

    /// <summary>Checks one fragment.</summary>
    /// <param name="header">Header of its frame.</param>
    /// <param name="bytes">Its length.</param>
    /// <param name="length">Length of the message.</param>
    /// <param name="left">Bytes that are missing before it.</param>
    /// <param name="fragments">Number of fragments before it.</param>
    /// <returns>The rule that it breaks, or null.</returns>
    public static ProtocolViolation? Check(FrameHeader header, int bytes, int length, int left, int fragments)
    {
        string? text = null;
        int most = MaxFragmentsOf(length);
        if (fragments == most)
        {
            return new BudgetBreach(ConnectionCode.ExcessiveLoad, $"{header.Kind} {header.Id} of {length} bytes comes in more than {most} fragments.",
                PeerLimit.TinyFrames);
        }

        bool isLast = (header.Flags & FrameFlags.More) == 0;
        if ((header.Flags & ~FrameFlags.More) != 0) text = $"continues a message with the flags {(int)header.Flags}; only MORE is allowed";
        else if (bytes == 0) text = "continues a message with 0 bytes";
        else if (bytes > left) text = $"has more than the {length} bytes that its first fragment announced";
        else if (isLast != (bytes == left)) text = $"{(isLast ? "ends" : "continues")} with {left - bytes} of the {length} announced bytes left";
        return text is null ? null : new(ConnectionCode.ProtocolError, $"{header.Kind} {header.Id} {text}.");
    }
}
