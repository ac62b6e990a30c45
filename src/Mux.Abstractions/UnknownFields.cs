using System.ComponentModel;

namespace Mux;

/// <summary>
/// The fields of a message that its class does not know, such as those that a newer peer has sent. A message with a member of this type, whatever its
/// accessibility, keeps them there and writes them behind the fields that it knows, in the order in which they came. They are kept as they came, but for
/// numbers, which are written in their shortest form. Without such a member they are dropped.
/// </summary>
/// <remarks>
/// The member needs no attribute and no initializer, and at most one stands in a class; of classes that inherit each other, each keeps what is unknown in its
/// own part. Like the message itself it is not for several threads at once while one of them changes it.
/// </remarks>
public sealed class UnknownFields
{
    private byte[] _bytes = [];
    private int _length;

    /// <summary>How many bytes the fields take on the wire. Never more than the message took that they came with.</summary>
    public int Length => _length;

    /// <summary>Whether there are none.</summary>
    public bool IsEmpty => _length == 0;

    /// <summary>The fields as they stand on the wire, tags included. Valid until fields are added or <see cref="Clear"/> is called.</summary>
    public ReadOnlySpan<byte> Bytes => _bytes.AsSpan(0, _length);

    /// <summary>Drops all of them.</summary>
    public void Clear()
    {
        _bytes = [];
        _length = 0;
    }

    /// <summary>Adds fields behind those that are there, for generated code.</summary>
    /// <param name="fields">Whole fields, which are not checked.</param>
    /// <exception cref="OverflowException">They are more than an array can hold.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public void Append(ReadOnlySpan<byte> fields)
    {
        int length = checked(_length + fields.Length);
        // as long as they are if they come at once
        if (length > _bytes.Length) Array.Resize(ref _bytes, _length == 0 ? length : (int)Math.Min(Math.Max(length, 2L * _length), Array.MaxLength));
        fields.CopyTo(_bytes.AsSpan(_length));
        _length = length;
    }
}
