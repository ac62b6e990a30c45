using System.ComponentModel;
using System.Runtime.CompilerServices;
using Mux.Serialization;

namespace Mux.Protobuf;

/// <summary>
/// Charges a message, for generated code, for the memory that conversions between an object and its surrogate allocate. A message that repeats a field is read
/// into the existing object, and each time all of it is converted there and back; only the conversions know its size. Conversions that allocate nothing are not
/// charged.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ConversionCost
{
    /// <summary>Begins a conversion of an object of the type.</summary>
    /// <returns>The argument for <see cref="PayForConversion{T}"/>, on the same thread.</returns>
    public static long Begin<T>() => RuntimeHelpers.IsReferenceOrContainsReferences<T>() ? GC.GetAllocatedBytesForCurrentThread() : 0;

    /// <summary>Ends a conversion of an object of the type. Structs without references are not charged, because their size is fixed.</summary>
    /// <exception cref="InvalidMessageException">The message makes the same object be converted too often.</exception>
    public static void PayForConversion<T>(this ref MessageReader reader, long begun)
    {
        if (RuntimeHelpers.IsReferenceOrContainsReferences<T>()) reader.PayForCopy(GC.GetAllocatedBytesForCurrentThread() - begun);
    }
}
