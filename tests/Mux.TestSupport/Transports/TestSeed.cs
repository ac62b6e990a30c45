using System.Globalization;

namespace Mux.TestSupport.Transports;

/// <summary>Seeds of random tests: new ones in every run, written to the test's output, or the one in the environment variable MUX_TEST_SEED.</summary>
public static class TestSeed
{
    public static int Next()
    {
        var given = Environment.GetEnvironmentVariable("MUX_TEST_SEED");
        int seed = given is null ? Random.Shared.Next() : int.Parse(given, CultureInfo.InvariantCulture);
        TestContext.Current.TestOutputHelper?.WriteLine($"Seed {seed}; run again with MUX_TEST_SEED={seed}.");
        return seed;
    }
}
