using System.Buffers;

namespace Mux.Tests.Serializers;

/// <summary>Memory of the application's own, which counts how often it is given back.</summary>
internal sealed class FreeBytes(byte[] bytes) : IMemoryOwner<byte>
{
    public int Disposals { get; private set; }

    public Memory<byte> Memory => bytes;

    public void Dispose() => Disposals++;
}
