using Mux.Description.Proto.Comparing;
using Mux.Description.Proto.Descriptors;

namespace Mux.Description.Tests.Comparing;

/// <summary>An editor compares all contracts after every edit, and hardly any of them changed: what costs there is what every field costs.</summary>
public sealed class CostTests
{
    private const int Few = 10, Many = 1_010;

    [Fact]
    public void A_field_that_did_not_change_needs_no_text_or_table_to_be_compared()
    {
        Assert.InRange(PerField(count => AllocatedBy(Compare(count))), 0, 80);

        static Action Compare(int count)
        {
            var recorded = Texts.Read(Message(count));
            var current = Texts.Read(Message(count)).Set;
            return () => Assert.Empty(ContractComparison.Of(recorded.Set, recorded.Services, current, ContractLevel.Json).Findings);
        }
    }

    [Fact]
    public void A_field_is_read_into_little_more_than_itself_and_its_names()
    {
        Assert.InRange(PerField(count => AllocatedBy(Read(count))), 0, 420);

        static Action Read(int count)
        {
            byte[] set = DescriptorWriter.Write(Texts.Read(Message(count)).Set);
            return () => Assert.Equal(count, DescriptorReader.Read(set).Messages["t.A"].Fields.Count);
        }
    }

    // Were each value sought among all others, these would be some 20 billion steps.
    [Fact]
    public void Values_of_an_enum_are_found_without_looking_at_all_others()
    {
        const int Count = 90_000;
        var recorded = Texts.Read(Enum(Enumerable.Range(1, Count), 0));
        var current = Texts.Read(Enum(Enumerable.Range(1, Count).Reverse(), Count + 5)).Set;
        var found = ContractComparison.Of(recorded.Set, recorded.Services, current, ContractLevel.Json).Findings;
        Assert.All(found, static finding => Assert.Equal(ContractRule.Behind, finding.Rule));

        static string Enum(IEnumerable<int> numbers, int added) =>
            $"message A {{ E e = 1; }} enum E {{ V0 = 0; {string.Concat(numbers.Select(static n => $"V{n} = {n}; "))}"
            + (added > 0 ? $"W = {added}; }}" : "}");
    }

    private static string Message(int fields) => $"message A {{ {string.Concat(Enumerable.Range(1, fields).Select(static n => $"int32 f{n} = {n}; "))} }}";

    private static long PerField(Func<int, long> cost) => (cost(Many) - cost(Few)) / (Many - Few);

    // The first runs also allocate what is kept for all others.
    private static long AllocatedBy(Action work)
    {
        long least = long.MaxValue;
        for (int i = 0; i < 5; i++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            work();
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        return least;
    }
}
