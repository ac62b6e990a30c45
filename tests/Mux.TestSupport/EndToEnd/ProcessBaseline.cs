using Mux.Runtime;
using Mux.TestSupport.Transports;

namespace Mux.TestSupport.EndToEnd;

/// <summary>
/// What the process holds before a test, to be compared with what it holds afterwards: true only while no other test runs beside it, see <see cref="EndToEndTests"/>.
/// </summary>
internal sealed record ProcessBaseline(int Handles, long Buffers)
{
    static ProcessBaseline()
    {
        BufferPool.Poison = true; // what is used after it was given back shows in the bytes that arrive
        FailedAssertions.Install();
        UnobservedErrors.Install();
    }

    /// <summary>What the process holds now.</summary>
    public static ProcessBaseline Take() => new(OpenHandles.WithoutFiles().Count, BufferPool.Outstanding);

    /// <summary>Fails if something is left behind.</summary>
    public async Task AssertRestoredAsync()
    {
        // Before the garbage collector is asked: it would close handles that were forgotten.
        await Eventually.Holds(() => OpenHandles.WithoutFiles().Count <= Handles, () => $"handles back at {Handles}; open are {string.Join(", ", OpenHandles.WithoutFiles())}");
        await Eventually.Holds(() => BufferPool.Outstanding <= Buffers, () => $"outstanding buffers back at {Buffers}; there are {BufferPool.Outstanding}");
        AssertNone("exceptions that nobody looked at", UnobservedErrors.Take());
        AssertNone("failed assertions", FailedAssertions.Take());
    }

    private static void AssertNone<T>(string what, IReadOnlyList<T> found) => Assert.True(found.Count == 0, found.Count == 0 ? null : $"{found.Count} {what}; the first is {found[0]}");
}
