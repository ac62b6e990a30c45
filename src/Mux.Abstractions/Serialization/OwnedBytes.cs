namespace Mux.Serialization;

/// <summary>Copies received bytes that user code keeps.</summary>
internal static class OwnedBytes
{
    /// <summary>Copies bytes to a new array. The runtime does not clear a large one first, which would cost as much as the copy.</summary>
    public static byte[] CopyOf(ReadOnlySpan<byte> bytes)
    {
        if (bytes.IsEmpty) return [];
        var array = GC.AllocateUninitializedArray<byte>(bytes.Length);
        bytes.CopyTo(array);
        return array;
    }
}
