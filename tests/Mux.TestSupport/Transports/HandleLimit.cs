using System.Runtime.InteropServices;

namespace Mux.TestSupport.Transports;

/// <summary>Takes the process's right to open handles away until it is disposed; what is open stays open. Linux only, and for tests that run alone.</summary>
public sealed partial class HandleLimit : IDisposable
{
    private const int MaxOpenFiles = 7; // RLIMIT_NOFILE on Linux

    private readonly Limit _before;

    private HandleLimit(Limit before) => _before = before;

    /// <summary>From now on no handle can be opened.</summary>
    public static HandleLimit AllowNone()
    {
        Assert.Equal(0, GetLimit(MaxOpenFiles, out var limit));
        Assert.Equal(0, SetLimit(MaxOpenFiles, limit with { Current = 3 })); // all below are in use
        return new HandleLimit(limit);
    }

    public void Dispose() => Assert.Equal(0, SetLimit(MaxOpenFiles, _before));

    [LibraryImport("libc", EntryPoint = "getrlimit")]
    private static partial int GetLimit(int resource, out Limit limit);

    [LibraryImport("libc", EntryPoint = "setrlimit")]
    private static partial int SetLimit(int resource, in Limit limit);

    [StructLayout(LayoutKind.Sequential)]
    private record struct Limit(nuint Current, nuint Most);
}
