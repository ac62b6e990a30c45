using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Mux.Serialization;

/// <summary>
/// Counts for generated code what conversions between an object and its surrogate allocate where a message comes again and is read on into what is there: each
/// time all of it is converted there and back, and nobody knows how large it is but the conversions. Those that allocate nothing are not counted.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ConversionCost
{
    /// <summary>Before a conversion of an object of the type.</summary>
    /// <returns>What <see cref="PayForConversion{T}"/> takes, on the same thread.</returns>
    public static long Begin<T>() => RuntimeHelpers.IsReferenceOrContainsReferences<T>() ? GC.GetAllocatedBytesForCurrentThread() : 0;

    /// <summary>After a conversion of an object of the type. Structs without references are always of one size.</summary>
    /// <exception cref="InvalidMessageException">The message makes ever the same object be converted.</exception>
    public static void PayForConversion<T>(this ref MessageReader reader, long begun)
    {
        if (RuntimeHelpers.IsReferenceOrContainsReferences<T>()) reader.PayForCopy(GC.GetAllocatedBytesForCurrentThread() - begun);
    }
}
