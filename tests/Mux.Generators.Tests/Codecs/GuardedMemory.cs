using System.ComponentModel;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Mux.Generators.Tests.Codecs;

/// <summary>Memory that ends where a page begins that nobody may touch: one byte read or written too far ends the process. Only on Linux.</summary>
internal sealed partial class GuardedMemory : IDisposable
{
    private const int None = 0;
    private const int ReadWrite = 3;
    private const int PrivateAnonymous = 0x22;

    private readonly nint _start;
    private readonly nint _size; // without the guarded page

    /// <param name="size">Bytes that are needed at most.</param>
    public GuardedMemory(int size)
    {
        nint page = Environment.SystemPageSize;
        _size = (size + page - 1) / page * page;
        _start = Map(0, _size + page, ReadWrite, PrivateAnonymous, -1, 0);
        if (_start == -1 || Protect(_start + _size, page, None) != 0) throw new Win32Exception(Marshal.GetLastPInvokeError());
    }

    /// <summary>The last <paramref name="length"/> bytes before the guarded page.</summary>
    public Span<byte> Last(int length)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(length, _size);
        return MemoryMarshal.CreateSpan(ref Unsafe.AddByteOffset(ref Unsafe.NullRef<byte>(), _start + _size - length), length);
    }

    public void Dispose() => _ = Unmap(_start, _size + Environment.SystemPageSize);

    [LibraryImport("libc", EntryPoint = "mmap", SetLastError = true)]
    private static partial nint Map(nint address, nint length, int protection, int flags, int file, nint offset);

    [LibraryImport("libc", EntryPoint = "mprotect", SetLastError = true)]
    private static partial int Protect(nint address, nint length, int protection);

    [LibraryImport("libc", EntryPoint = "munmap")]
    private static partial int Unmap(nint address, nint length);
}
