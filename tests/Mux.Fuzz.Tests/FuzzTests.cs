using Mux.TestSupport.Connections;
using Mux.TestSupport.Serializers;
using Mux.TestSupport.Transports;

namespace Mux.Fuzz.Tests;

/// <summary>Everything that takes a peer's bytes, with the inputs of the corpus and with new ones, on a thread with 256 KiB of stack. One at a time: they look at counters of the process.</summary>
public sealed class FuzzTests
{
    private const int InputsInEveryRun = 10_000;
    private const int InputsKept = 100;

    /// <summary>All, or the one that a long run gives a process of its own.</summary>
    public static TheoryData<string> Targets => [.. FuzzTargets.All.Select(static target => target.Name).Where(static name => Environment.GetEnvironmentVariable("MUX_FUZZ_TARGET") is not { Length: > 0 } one || one == name)];

    [Theory]
    [MemberData(nameof(Targets))]
    public void Inputs_of_the_corpus_hold_what_was_promised_however_they_are_split(string name)
    {
        var target = FuzzTargets.Find(name);
        var corpus = CorpusFile.Read(target);
        Assert.NotEmpty(corpus);
        var random = new Random(TestSeed.Next());
        foreach (var input in corpus.Concat(target.Examples))
        {
            for (int round = 0; round < 4; round++)
            {
                int split = random.Next();
                try
                {
                    StackLimit.Run(() => target.Run(input, new Random(split)));
                }
                catch (Exception error)
                {
                    throw new InvalidOperationException($"{name} failed for {Convert.ToHexString(input)}, split by {split}: {error.Message}", error);
                }
            }
        }
    }

    [Theory]
    [MemberData(nameof(Targets))]
    public void New_inputs_hold_it_too(string name)
    {
        long inputs = Seeds.Number("MUX_FUZZ_INPUTS") ?? InputsInEveryRun;
        var target = FuzzTargets.Find(name);
        var run = new FuzzRun(target, TestSeed.Next(), CorpusFile.Read(target));
        StackLimit.Run(
            () => run.Run(inputs, given => Console.WriteLine($"{name}: {given:N0} of {inputs:N0} inputs, {run.Kept.Count:N0} of which something new came")),
            run.HasMoved,
            run.Describe);
        TestContext.Current.TestOutputHelper?.WriteLine($"{inputs:N0} inputs, {run.Kept.Count:N0} of which something new came.");
        if (Environment.GetEnvironmentVariable("MUX_FUZZ_CORPUS") is { Length: > 0 } folder) CorpusFile.Write(target, folder, Sample(run.Kept));
    }

    // Of all stages of the run alike.
    private static IEnumerable<byte[]> Sample(IReadOnlyList<byte[]> kept) => kept.Where((_, i) => i * InputsKept / kept.Count != (i + 1) * InputsKept / kept.Count);
}
