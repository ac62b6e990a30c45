using System.Collections.Concurrent;
using System.Globalization;
using Mux.Description.Proto.Descriptors;
using Mux.Description.Proto.Parsing;

namespace Mux.Description.Tests.Parsing;

/// <summary>Files that are changed here and there are accepted and refused as protoc does it, and those that both accept mean the same.</summary>
public sealed class MutationTests(ITestOutputHelper output)
{
    // A process of protoc for each file takes 10 ms and more: .ci/run takes a hundredth of what .ci/long does, which sets MUX_PROTO_MUTATIONS.
    private const int Files = 100;

    // Those of .ci/run are always the same: a difference in what no user writes should stop no change of something else. .ci/long takes others each time.
    private const int Seed = 20261127;

    // What protoc accepts, and is refused here on purpose.
    private static readonly (string Said, string Reason)[] s_stricter =
    [
        ("edition \"2023\"", "Mux knows this edition only: the features of later ones would be read wrongly."),
        ("in UTF-8", "A text of other bytes is a text in no language that Mux has."),
        ("more than 64 deep", "Limits hold for what strangers send."),
        ("characters; allowed are", "Limits hold for what strangers send."),
    ];

    // What protoc refuses, and is accepted here on purpose.
    private static readonly (string Said, string Reason)[] s_laxer =
    [
        ("Reached maximum recursion limit for nested messages", "Descriptors of Mux may be 64 deep, those of protoc's text 32."),
        ("Extension declaration number", "Declarations of extensions are for messages that Mux does not extend."),
        ("Missing extension declaration", "Declarations of extensions are for messages that Mux does not extend."),
        ("Extension declaration #", "Declarations of extensions are for messages that Mux does not extend."),
        ("Extension field name", "Declarations of extensions are for messages that Mux does not extend."),
        ("in the extension declarations for message", "Declarations of extensions are for messages that Mux does not extend."),
        ("must have a leading dot to indicate", "Declarations of extensions are for messages that Mux does not extend."),
        ("contains invalid identifiers", "Declarations of extensions are for messages that Mux does not extend."),
        ("is expected to have field name", "Declarations of extensions are for messages that Mux does not extend."),
        ("is expected to be", "Declarations of extensions are for messages that Mux does not extend."),
        ("is not a valid UTF-8", "Values of options that Mux does not know are not kept."),
    ];

    [Fact]
    public async Task Mutated_files_are_judged_as_protoc_judges_them()
    {
        Assert.SkipUnless(ProtocFolder.HasProtoc, "Grpc.Tools has no protoc for this machine.");
        int seed = Setting("MUX_PROTO_SEED") ?? (Setting("MUX_PROTO_MUTATIONS") is null ? Seed : Random.Shared.Next());
        int count = Setting("MUX_PROTO_MUTATIONS") ?? Files;
        output.WriteLine($"Seed {seed}, {count} files: MUX_PROTO_SEED and MUX_PROTO_MUTATIONS set them.");
        var mutator = new FileMutator(seed, ParsedText.Names.Where(static name => name != "hidden.proto").Select(ParsedText.File));
        var texts = Enumerable.Range(0, count).Select(_ => mutator.Next()).ToList();
        var differences = new ConcurrentQueue<string>();
        int accepted = 0;
        using var folder = new ProtocFolder();
        foreach (var name in ParsedText.Names) folder.Write(name, ParsedText.File(name));
        folder.Write("mux/options.proto", BuiltInFiles.Read("mux/options.proto")!);
        folder.Write("mux/bodies.proto", BuiltInFiles.Read("mux/bodies.proto")!);
        await Parallel.ForEachAsync(texts.Index(), new ParallelOptions { MaxDegreeOfParallelism = 2, CancellationToken = TestContext.Current.CancellationToken }, async (text, cancel) =>
        {
            var name = $"mutated_{text.Index}.proto";
            folder.Write(name, text.Item);
            var (bytes, said) = await folder.Read(name, cancel);
            if (bytes is not null) Interlocked.Increment(ref accepted);
            if (Difference(name, text.Item, bytes, said) is { } difference) differences.Enqueue($"{difference}\n--- {text.Index}\n{(Setting("MUX_PROTO_SHOW") is null ? "" : text.Item)}");
        });
        output.WriteLine($"protoc accepted {accepted} of {count}.");
        Assert.True(differences.IsEmpty, $"{differences.Count} differences, seed {seed}:\n{string.Join("\n\n", differences.Take(40))}");
    }

    private static string? Difference(string name, string text, byte[]? bytes, string said)
    {
        var faults = new List<ProtoFault>();
        var set = ProtoLoader.Load(name, path => path == name ? text : ParsedText.TryFile(path), faults);
        var errors = faults.Where(static fault => fault.Severity == ProtoFaultSeverity.Error).ToList();
        if (set is null && bytes is not null && !errors.Exists(static error => s_stricter.Any(row => error.Message.Contains(row.Said, StringComparison.Ordinal))))
            return $"protoc accepts what is refused here: {string.Join('\n', errors)}";
        if (set is not null && bytes is null && !s_laxer.Any(row => said.Contains(row.Said, StringComparison.Ordinal))) return $"protoc refuses what is accepted here: {said}";
        if (set is null || bytes is null) return null;
        var expected = ProtoShape.Of(DescriptorReader.Read(bytes).Files[^1]);
        var actual = ProtoShape.Of(set.Files[^1]);
        return expected.SequenceEqual(actual) ? null
            : $"the descriptors differ: {string.Join('\n', expected.Except(actual))}\nbut here\n{string.Join('\n', actual.Except(expected))}";
    }

    private static int? Setting(string name) =>
        int.TryParse(Environment.GetEnvironmentVariable(name), NumberStyles.Integer, CultureInfo.InvariantCulture, out int value) ? value : null;
}
