using System.ComponentModel;

namespace Mux.Serialization;

/// <summary>
/// Passes for generated code over fields that are read later, or were read before: what is passed over in every message around it must not cost each of them
/// the same again.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class MessageScan
{
    // Only the fields of a group say where it ends, and looking for it takes longer than copying it would. Sixteen levels of groups around all bytes of a
    // message are nobody's contract.
    private const int CopiesPerByte = 4;

    /// <summary>Passes over a field; the message pays for a group.</summary>
    /// <param name="reader">Behind the tag.</param>
    /// <param name="tag">The tag of the field.</param>
    /// <returns>As <see cref="MessageReader.Skip"/>.</returns>
    /// <exception cref="InvalidMessageException">The field is cut or no field, or groups stand in one another so deep that they would be looked through without
    /// end.</exception>
    public static bool PassOver(this ref MessageReader reader, uint tag)
    {
        int start = reader.Position;
        if (!reader.Skip(tag)) return false;
        if ((tag & 7) == (uint)WireType.StartGroup) reader.PayForCopy(CopiesPerByte * (long)(reader.Position - start));
        return true;
    }
}
