using System.Globalization;

namespace Mux.TestSupport.Connections;

/// <summary>
/// Seeds of random tests. A run takes as many as a test asks for, times MUX_TEST_EFFORT (1 by default), counted up from a start that differs from run to run; or the single one in
/// MUX_TEST_SEED. A failure names its seed.
/// </summary>
public static class Seeds
{
    /// <summary>Runs <paramref name="test"/> for each seed.</summary>
    /// <exception cref="InvalidOperationException">One failed; the message names the seed, the inner exception says how.</exception>
    public static void ForEach(int count, Action<int> test)
    {
        var (first, end) = Range(count);
        for (long seed = first; seed < end; seed++)
        {
            try
            {
                test((int)seed);
            }
            catch (Exception error)
            {
                throw new InvalidOperationException($"Seed {seed} failed; run again with MUX_TEST_SEED={seed}. {error.Message}", error);
            }
        }
    }

    /// <summary>Runs <paramref name="test"/>, which tells whether its seed gave something to compare, for each seed.</summary>
    /// <exception cref="InvalidOperationException">One failed; the message names the seed, the inner exception says how. Or fewer than one in <paramref name="oneIn"/> gave something, so that the test shows nothing.</exception>
    public static void ForEach(int count, int oneIn, Func<int, bool> test)
    {
        int made = 0, compared = 0;
        ForEach(count, seed =>
        {
            made++;
            if (test(seed)) compared++;
        });
        if (compared < made / oneIn) throw new InvalidOperationException($"Only {compared} of {made} seeds gave something to compare, less than one in {oneIn}.");
    }

    /// <summary>How many times longer than usual random tests run: MUX_TEST_EFFORT, or 1. <c>.ci/long</c> asks for more.</summary>
    public static int Effort => (int)(Number("MUX_TEST_EFFORT") ?? 1);

    /// <summary>A number that whoever runs the tests has set; null if nobody has.</summary>
    /// <param name="variable">Of the environment.</param>
    public static long? Number(string variable) =>
        Environment.GetEnvironmentVariable(variable) is { Length: > 0 } text ? long.Parse(text, CultureInfo.InvariantCulture) : null;

    private static (long First, long End) Range(int count)
    {
        if (Number("MUX_TEST_SEED") is { } single) return (single, single + 1);
        long first = Random.Shared.Next(1, int.MaxValue / 2);
        TestContext.Current.TestOutputHelper?.WriteLine($"Seeds from {first}, {count} x {Effort}.");
        return (first, first + (long)count * Effort);
    }
}
