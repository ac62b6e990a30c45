namespace Mux.Serialization;

/// <summary>Copies of received bytes that the user keeps.</summary>
internal static class OwnedBytes
{
    /// <summary>An array of these bytes. A large one is written once: the runtime does not clear it first, which costs as much as the copy.</summary>
    public static byte[] CopyOf(ReadOnlySpan<byte> bytes)
    {
        if (bytes.IsEmpty) return [];
        var array = GC.AllocateUninitializedArray<byte>(bytes.Length);
        bytes.CopyTo(array);
        return array;
    }
}
