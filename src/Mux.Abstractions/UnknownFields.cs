using System.ComponentModel;

namespace Mux;

/// <summary>
/// The fields of a received message that its class does not know, such as fields that a newer peer sends. To keep these fields, declare a member of this type,
/// of any accessibility. The message then writes them after its known fields, in the order in which they arrived. They are kept unchanged, except that numbers
/// are written in their shortest form. Without such a member, unknown fields are dropped.
/// </summary>
/// <remarks>
/// The member needs no attribute and no initializer. A class has at most one; in a class hierarchy, each class keeps the unknown fields of its own part. Like
/// the message, the object must not be used by several threads while one of them changes it.
/// </remarks>
public sealed class UnknownFields
{
    private byte[] _bytes = [];
    private int _length;

    /// <summary>Gets the number of bytes that the fields take on the wire. It never exceeds the size of the message in which they arrived.</summary>
    public int Length => _length;

    /// <summary>Gets a value indicating whether there are no unknown fields.</summary>
    public bool IsEmpty => _length == 0;

    /// <summary>Gets the fields in wire format, tags included. Valid until fields are added or <see cref="Clear"/> is called.</summary>
    public ReadOnlySpan<byte> Bytes => _bytes.AsSpan(0, _length);

    /// <summary>Removes all unknown fields.</summary>
    public void Clear()
    {
        _bytes = [];
        _length = 0;
    }

    /// <summary>Appends fields. Called by generated code.</summary>
    /// <param name="fields">Complete fields; they are not checked.</param>
    /// <exception cref="OverflowException">The total length exceeds the maximum length of an array.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public void Append(ReadOnlySpan<byte> fields)
    {
        int length = checked(_length + fields.Length);
        // fields that arrive in one piece get an array of exactly their length
        if (length > _bytes.Length) Array.Resize(ref _bytes, _length == 0 ? length : (int)Math.Min(Math.Max(length, 2L * _length), Array.MaxLength));
        fields.CopyTo(_bytes.AsSpan(_length));
        _length = length;
    }
}
