using System.ComponentModel;
using Mux.Serialization;

namespace Mux.Protobuf;

/// <summary>
/// Skips, for generated code, fields that are read later or were read before, and charges for it: nested messages must not repeat the cost at each level.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class MessageScan
{
    // The end of a group is found only by reading its fields, which takes longer than copying them. No normal contract has sixteen levels of groups around all
    // bytes of a message.
    private const int CopiesPerByte = 4;

    /// <summary>Skips a field; the message is charged for a group.</summary>
    /// <param name="reader">Positioned after the tag.</param>
    /// <param name="tag">The tag of the field.</param>
    /// <returns>The result of <see cref="MessageReader.Skip"/>.</returns>
    /// <exception cref="InvalidMessageException">The field is incomplete or not a field, or groups are nested so deep that skipping them would cost too
    /// much.</exception>
    public static bool PassOver(this ref MessageReader reader, uint tag)
    {
        int start = reader.Position;
        if (!reader.Skip(tag)) return false;
        if ((tag & 7) == (uint)WireType.StartGroup) reader.PayForCopy(CopiesPerByte * (long)(reader.Position - start));
        return true;
    }
}
