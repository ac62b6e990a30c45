using Mux.Generators.Tests.Messages;

namespace Mux.Generators.Tests.Codecs;

/// <summary>What happens when something is there already, from an initializer or from the same field before.</summary>
public sealed class MergeTests
{
    private static readonly ContractCodecs<IZoo> s_codecs = new();

    [Fact]
    public void Preset_lists_arrays_and_bytes_grow()
    {
        var preset = Read("0803" + "1004" + "1a01bb" + "2a020508" + "320400002040");
        Assert.Equal([1, 2, 3], preset.Numbers);
        Assert.Equal([9, 4], preset.Array);
        Assert.Equal([0xaa, 0xbb], preset.Bytes);
        Assert.Equal([7, 5, 8], preset.Filled);
        Assert.Equal([1.5f, 2.5f], preset.Floats);
    }

    [Fact]
    public void What_is_not_in_the_bytes_stays_as_the_constructor_made_it()
    {
        var preset = Read(string.Empty);
        Assert.Equal([1, 2], preset.Numbers);
        Assert.Equal(("preset", 5), (preset.Leaf.Name, preset.Leaf.Weight));
    }

    [Fact]
    public void A_message_is_merged_with_what_the_member_holds()
    {
        Assert.Equal(("preset", 8), ReadLeaf("22021008"));
        Assert.Equal(("a", 9), ReadLeaf("22030a0161" + "22021009"));
    }

    [Fact]
    public void Packed_blocks_and_single_items_of_one_list_are_joined()
    {
        Assert.Equal([1.5f, 1f, 2f, 3f], Read("3208" + "0000803f" + "00000040" + "35" + "00004040").Floats);
    }

    [Fact]
    public void A_struct_is_merged_field_by_field()
    {
        var specimen = (Specimen)s_codecs.Request("Specimen").Decode(Convert.FromHexString("aa01050d0000803f" + "aa01051500000040"))!;
        Assert.Equal(new Point(1, 2), specimen.Point);
    }

    private static (string? Name, int Weight) ReadLeaf(string hex)
    {
        var leaf = Read(hex).Leaf;
        return (leaf.Name, leaf.Weight);
    }

    private static Preset Read(string hex) => (Preset)s_codecs.Request("Preset").Decode(Convert.FromHexString(hex))!;
}
