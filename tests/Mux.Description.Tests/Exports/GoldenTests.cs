using Mux.Description.Tests.Circles;
using Mux.Description.Tests.Contracts;
using Mux.Serialization.Oracles.Shapes;
using Mux.TestSupport.Sources;

namespace Mux.Description.Tests.Exports;

/// <summary>The text of a few contracts, as files beside this one. With <c>MUX_REWRITE_EXPORTS=1</c> the test writes them instead.</summary>
public sealed class GoldenTests
{
    private static readonly string s_folder = Path.Combine(SourceTree.Root, "tests/Mux.Description.Tests/Exports/Golden");

    [Fact]
    public void The_text_of_every_option_is_the_known_one() => AssertKnown("store", ContractSet.Of<IStore>());

    [Fact]
    public void The_text_of_packages_that_name_each_other_is_the_known_one() => AssertKnown("circles", ContractSet.Of<ICircles>());

    [Fact]
    public void The_text_of_groups_defaults_and_maps_is_the_known_one() => AssertKnown("shapes", ContractSet.Of<IShapes>());

    private static void AssertKnown(string folder, ContractSet set)
    {
        foreach (var (name, text) in set.ToProtoFiles().Where(static file => file.Key != "mux/options.proto"))
        {
            var path = Path.Combine(s_folder, folder, name);
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            if (Environment.GetEnvironmentVariable("MUX_REWRITE_EXPORTS") == "1") File.WriteAllText(path, text);
            else Assert.Equal(File.ReadAllText(path), text);
        }
    }
}
