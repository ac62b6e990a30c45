namespace Mux.Generators.Tests.Driver;

/// <summary>Messages share the code for the entries of their maps.</summary>
public sealed class SharedEntryTests
{
    private const string Contract = """
        using System.Collections.Generic;
        using System.Runtime.Serialization;
        [DataContract] public class First { [DataMember(Order = 1)] public Dictionary<string, int> Counts { get; set; } = new(); [DataMember(Order = 2)] public Dictionary<string, int> More { get; set; } = new(); }
        [DataContract] public class Second { [DataMember(Order = 1)] public SortedDictionary<string, int> Counts { get; set; } = new(); }
        [DataContract] public class Third { [DataMember(Order = 1)] public Dictionary<string, long> Counts { get; set; } = new(); }
        [DataContract] public class Fourth { [DataMember(Order = 1)] public Dictionary<string, int[]> Counts { get; set; } = new(); }
        [Mux.MuxService("s")] public interface IService { System.Threading.Tasks.ValueTask Send(First first, Second second, Third third, Fourth fourth); }
        """;

    [Fact]
    public void Entries_of_one_kind_have_one_codec_for_all_messages()
    {
        var run = GeneratorRun.Of(Contract);
        Assert.Empty(run.Mistakes);
        Assert.Equal(2, run.GeneratedTrees.Count(static tree => tree.FilePath.Contains("_EntryCodec", StringComparison.Ordinal)));
        Assert.DoesNotContain("Counts_Entry", run.GeneratedFile("First_Codec.g.cs") + run.GeneratedFile("Second_Codec.g.cs") + run.GeneratedFile("Third_Codec.g.cs"), StringComparison.Ordinal);
    }

    [Fact]
    public void Entries_of_lists_have_their_own_because_it_names_their_message() =>
        Assert.Contains("Counts_EntryCodec", GeneratorRun.Of(Contract).GeneratedFile("Fourth_Codec.g.cs"), StringComparison.Ordinal);

    [Fact]
    public void Errors_name_the_message_and_not_what_it_shares()
    {
        var run = GeneratorRun.Of(Contract);
        Assert.Contains("\"First.More(Key,Value)\"", run.GeneratedFile("First_Codec.g.cs"), StringComparison.Ordinal);
        Assert.Contains("\"Second.Counts(Key,Value)\"", run.GeneratedFile("Second_Codec.g.cs"), StringComparison.Ordinal);
    }
}
