using Mux.Generators.Tests.Containers;
using Mux.Serialization;

namespace Mux.Generators.Tests.Codecs;

/// <summary>Which class an object is of is found out from all parts of its message, before anything is read into it.</summary>
public sealed class DerivedPartTests
{
    private static readonly Lazy<CompiledContracts> s_contracts = new(Compile);

    [Theory]
    [InlineData("1a020801" + "1a041a020802" + "0801", "Leaf 1,1,2")] // a part that says less, then one that says more
    [InlineData("0801" + "1a041a020802" + "1a020801", "Leaf 1,1,2")]
    [InlineData("1b" + "0801" + "1c" + "1b" + "1b" + "0802" + "1c" + "1c", "Leaf 0,1,2")] // as groups
    [InlineData("1a020801" + "1a021a00" + "1a041a020802", "Leaf 0,1,2")]
    [InlineData("1a020801" + "0801", "Middle 1,1")]
    [InlineData("1a00" + "1a00", "Middle 0,0")]
    [InlineData("0801", "Root 1")]
    public void An_object_is_made_once_and_as_the_class_that_all_parts_say(string hex, string expected)
    {
        Assert.Equal($"{expected}; made 1, written 0", Read(hex));
    }

    [Theory]
    [InlineData("1a020801" + "2200", "Sample.Other, ")]
    [InlineData("2200" + "1a041a020802", "Sample.Middle, ")]
    [InlineData("1a041a020802" + "1a022200", "Sample.Beside, ")]
    public void Parts_of_two_classes_are_refused_at_the_second(string hex, string starts)
    {
        Assert.StartsWith(starts, Assert.Throws<InvalidMessageException>(() => Read(hex)).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("2a00")] // nothing says which
    [InlineData("2a00" + "2a00")]
    public void An_abstract_class_in_the_middle_is_refused_by_its_name(string hex)
    {
        Assert.Matches("^Sample.Hollow, byte [24]: the class is abstract", Assert.Throws<InvalidMessageException>(() => Read(hex)).Message);
    }

    [Fact]
    public void An_abstract_class_in_the_middle_may_be_told_in_its_second_part()
    {
        Assert.Equal("Full 0,3; made 1, written 0", Read("2a00" + "2a040a020803"));
    }

    [Fact]
    public void An_error_names_the_class_that_is_expected_and_no_other_of_the_process()
    {
        var refused = Assert.Throws<InvalidMessageException>(() => s_contracts.Value.Decode("Holder", "0a041a020801"));
        Assert.Equal("Sample.Middle, byte 4: the message, or the object into which it is merged, is of another class: expected Sample.Middle.", refused.Message);
    }

    [Theory]
    [InlineData("Chain", 0x0b)] // groups of a class that another may derive from
    [InlineData("Pair", 0x13)] // groups that are read in a second pass
    [InlineData("Pair", 0x0b)] // groups that are passed over in the second pass
    public void Groups_in_groups_are_not_passed_over_at_every_level_without_end(string type, byte tag)
    {
        const int Depth = 60;
        var bytes = Deep(tag, Depth, length: 1024 * 1024);
        var refused = Assert.Throws<InvalidMessageException>(() => s_contracts.Value.Codec(type).Decode(bytes));
        Assert.Contains("it repeats the same message so often", refused.Message, StringComparison.Ordinal);
        Assert.NotNull(s_contracts.Value.Codec(type).Decode(Deep(tag, Depth, length: 4 * 1024)));
        Assert.NotNull(s_contracts.Value.Codec(type).Decode(Deep(tag, depth: 8, length: 1024 * 1024)));
    }

    // Numbers that nobody knows, inside groups; behind each of them something for the second pass.
    private static byte[] Deep(byte tag, int depth, int length)
    {
        byte[] end = tag == 0x0b ? [0x0c, 0x13, 0x14] : [(byte)(tag + 1)];
        return [.. Enumerable.Repeat(tag, depth), .. Wire.Repeated("7801", length), .. Enumerable.Repeat(end, depth).SelectMany(static bytes => bytes)];
    }

    private static string Read(string hex)
    {
        s_contracts.Value.Value("Reset");
        var read = s_contracts.Value.Decode("Root", hex)!;
        return $"{read}; {s_contracts.Value.Value("Count")}";
    }

    private static CompiledContracts Compile()
    {
        const string Types = """
            [ProtoContract, ProtoInclude(3, typeof(Middle)), ProtoInclude(4, typeof(Other)), ProtoInclude(5, typeof(Hollow))] public class Root
            {
                public static int Made, Written;
                public Root() { Made++; }
                [ProtoMember(1)] public int A { get; set; }
                [ProtoBeforeSerialization] public void BeforeWriting() => Written++;
                public override string ToString() => $"{GetType().Name} {A}";
            }
            [ProtoContract, ProtoInclude(3, typeof(Leaf)), ProtoInclude(4, typeof(Beside))] public class Middle : Root
            {
                [ProtoMember(1)] public int B { get; set; }
                public override string ToString() => $"{base.ToString()},{B}";
            }
            [ProtoContract] public class Leaf : Middle { [ProtoMember(1)] public int C { get; set; } public override string ToString() => $"{base.ToString()},{C}"; }
            [ProtoContract] public class Beside : Middle { }
            [ProtoContract] public class Other : Root { [ProtoMember(1)] public int D { get; set; } }
            [ProtoContract, ProtoInclude(1, typeof(Full))] public abstract class Hollow : Root { }
            [ProtoContract] public class Full : Hollow { [ProtoMember(1)] public int E { get; set; } public override string ToString() => $"{base.ToString()},{E}"; }
            public class Secret : Root { }
            [ProtoContract] public class Holder { [ProtoMember(1)] public Root Value { get; set; } = new Secret(); }

            [ProtoContract, ProtoInclude(2, typeof(LongChain))] public class Chain { [ProtoMember(1, DataFormat = DataFormat.Group)] public Chain Next { get; set; } }
            [ProtoContract] public class LongChain : Chain { }
            [ProtoContract] public class Pair
            {
                private Pair(Pair first) => First = first;
                [ProtoMember(1, DataFormat = DataFormat.Group)] public Pair First { get; }
                [ProtoMember(2, DataFormat = DataFormat.Group)] public Pair Second { get; set; }
            }

            """;
        (string, string)[] values =
        [
            ("Reset", "Root.Made = Root.Written = 0"),
            ("Count", "$\"made {Root.Made}, written {Root.Written}\""),
        ];
        return new CompiledContracts(Types, ["Root", "Holder", "Chain", "Pair"], values);
    }
}
