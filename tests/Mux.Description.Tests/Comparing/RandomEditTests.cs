using FsCheck;
using FsCheck.Fluent;
using Mux.Description.Proto;

namespace Mux.Description.Tests.Comparing;

/// <summary>Where no rule has a finding, old messages are the same to new code, and what that writes is the same to old code. A failure shows the fewest edits.</summary>
public sealed class RandomEditTests
{
    private const int Contracts = 300;

    private int _compatible;
    private int _incompatible;

    [Fact]
    public void Messages_survive_every_edit_that_no_rule_finds()
    {
        var edits = Arb.From(Gen.Choose(0, 9).ArrayOf(), Shorter).Filter(static edits => edits.Length is > 0 and < 4);
        var seeds = Gen.Choose(0, int.MaxValue - 1).ToArbitrary();
        Prop.ForAll(seeds, edits, (seed, kinds) => Check(seed, kinds)).Check(Config.QuickThrowOnFailure.WithMaxTest(Contracts).WithEndSize(4));
        Assert.True(_compatible > Contracts / 10 && _incompatible > Contracts / 10, $"{_compatible} edits were compatible, {_incompatible} were not.");
    }

    private static IEnumerable<int[]> Shorter(int[] edits) => edits.Select((_, i) => edits.Where((_, j) => j != i).ToArray());

    private void Check(int seed, int[] kinds)
    {
        var random = new Random(seed);
        var draft = new Draft(random);
        var before = draft.ToString();
        foreach (int kind in kinds) draft.Edit(kind, random);
        var after = draft.ToString();
        if (Texts.Compare(before, after).Findings.Any(static finding => finding.Id != "MUX0086"))
        {
            _incompatible++;
            return;
        }

        _compatible++;
        var (old, current) = (Texts.Read(before).Set.Messages["t.A"], Texts.Read(after).Set.Messages["t.A"]);
        for (int i = 0; i < 5; i++)
        {
            var bytes = Walker.Write(old, Values(old, random, 3));
            var expected = Walker.Show(Walker.Read(old, bytes));
            var read = Walker.Read(current, bytes);
            var returned = Walker.Read(old, Walker.Write(current, read));
            Assert.True(expected == Walker.Show(returned), $"Seed {seed}, edits {string.Join(',', kinds)}:\n{before}\nto\n{after}\n{expected} became {Walker.Show(returned)}");
            Assert.True(IsSame(old, current, Walker.Read(old, bytes), read), $"Seed {seed}:\n{before}\nto\n{after}\n{expected} is read as {Walker.Show(read)}");
        }
    }

    // What both have is the same value; numbers may have become wider.
    private static bool IsSame(ProtoMessage old, ProtoMessage current, SortedDictionary<int, List<object>> was, SortedDictionary<int, List<object>> now) =>
        old.Fields.Where(field => field.Message is null && current.Fields.Exists(other => other.Number == field.Number)).All(field =>
            Walker.Show(was.TryGetValue(field.Number, out var items) ? new SortedDictionary<int, List<object>> { [1] = items } : [])
            == Walker.Show(now.TryGetValue(field.Number, out var others) ? new SortedDictionary<int, List<object>> { [1] = others } : []));

    private static SortedDictionary<int, List<object>> Values(ProtoMessage type, Random random, int depth)
    {
        var tree = new SortedDictionary<int, List<object>>();
        foreach (var field in type.Fields)
        {
            bool isTaken = field.Oneof is { } oneof && type.Fields.Exists(other => other.Oneof == oneof && tree.ContainsKey(other.Number));
            if (isTaken || random.Next(4) == 0 || (field.Message is not null && depth == 0)) continue;
            var items = Enumerable.Range(0, field.IsRepeated ? 1 + random.Next(2) : 1).Select(_ => Value(field, random, depth)).ToList();
            tree.Add(field.Number, items);
        }

        return tree;
    }

    private static object Value(ProtoField field, Random random, int depth)
    {
        int number = random.Next(3) == 0 ? 0 : random.Next(int.MinValue, int.MaxValue);
        return field.Kind switch
        {
            FieldKind.Bool => number > 0,
            FieldKind.Enum => (long)random.Next(3),
            FieldKind.Float or FieldKind.Double => (double)(number / 1024),
            FieldKind.String => number == 0 ? "" : "ä" + number,
            FieldKind.Bytes => BitConverter.GetBytes(number),
            FieldKind.Message => Values(field.Message!, random, depth - 1),
            FieldKind.UInt32 or FieldKind.Fixed32 => (ulong)(uint)number,
            FieldKind.UInt64 or FieldKind.Fixed64 => (ulong)(uint)number << random.Next(32),
            FieldKind.Int64 or FieldKind.SInt64 or FieldKind.SFixed64 => (long)number << random.Next(32),
            _ => (long)number,
        };
    }
}
