using Mux.Generators.Tests.Messages;
using Mux.Serialization;

namespace Mux.Generators.Tests.Codecs;

/// <summary>Classes that are written as one message. The bytes are those of protobuf-net, and so is what is refused, where nothing else is said.</summary>
public sealed class InheritanceTests
{
    private static readonly ContractCodecs<IMenagerie> s_codecs = new();
    private static readonly MessageCodec s_animal = s_codecs.Request("Animal");
    private static readonly MessageCodec s_kennel = s_codecs.Request("Kennel");

    [Fact]
    public void The_part_of_a_derived_class_stands_before_the_members_of_its_base()
    {
        Assert.Equal("0a0161", Encode(s_animal, new Animal { Name = "a" }));
        Assert.Equal("5205" + "0805" + "120163" + "0a0164", Encode(s_animal, new Dog { Name = "d", Age = 5 }.With("c")));
        Assert.Equal("1b" + "0801" + "1c" + "0a0166", Encode(s_animal, Fish.Create("f", salt: true)));
        Assert.Equal("c20c00" + "0a0167", Encode(s_animal, new Ghost { Name = "g" }));
    }

    [Fact]
    public void An_object_comes_back_as_the_class_that_it_was()
    {
        var puppy = Assert.IsType<Puppy>(Return(Puppy.Create("p", 3, 1.5)));
        Assert.Equal(("p", 3, 1.5), (puppy.Name, puppy.Age, puppy.Weight));
        Assert.True(Assert.IsType<Fish>(Return(Fish.Create("f", salt: true))).Salt);
        Assert.IsType<Ghost>(Return(new Ghost()));
        Assert.Equal("c", Assert.IsType<Dog>(Return(new Dog().With("c"))).TellCollar());
        Assert.IsType<Animal>(Return(new Animal()));
    }

    [Fact]
    public void A_class_is_made_as_it_says_itself()
    {
        Assert.Null(Assert.IsType<Puppy>(Decode("52023a00")).Name);
    }

    [Fact]
    public void Members_of_the_base_may_stand_before_the_part_that_says_the_class()
    {
        var dog = Assert.IsType<Dog>(Decode("0a0164" + "2001" + "52020805" + "2002"));
        Assert.Equal(("d", 5), (dog.Name, dog.Age));
        Assert.Equal([1, 2], dog.Marks!);
        Assert.Equal(9, Assert.IsType<Tree>(((Kennel)s_kennel.Decode(Convert.FromHexString("2206" + "0803" + "4a020809"))!).Plant).Rings);
    }

    [Fact]
    public void A_part_may_come_as_a_group_or_with_a_length_whichever_is_declared()
    {
        Assert.Equal(5, Assert.IsType<Dog>(Decode("53" + "0805" + "54")).Age);
        Assert.True(Assert.IsType<Fish>(Decode("1a02" + "0801")).Salt);
    }

    [Fact]
    public void A_part_that_comes_twice_is_merged_and_may_say_more()
    {
        var puppy = Assert.IsType<Puppy>(Decode("5202" + "0805" + "0a0170" + "520b" + "3a09" + "09000000000000f83f"));
        Assert.Equal(("p", 5, 1.5), (puppy.Name, puppy.Age, puppy.Weight));
    }

    [Fact]
    public void A_member_that_comes_twice_becomes_what_the_second_says()
    {
        var kennel = (Kennel)s_kennel.Decode(Convert.FromHexString("1b" + "0a0161" + "1c" + "1b" + "52020805" + "1c"))!;
        Assert.Equal(("a", 5), (Assert.IsType<Dog>(kennel.Guest).Name, ((Dog)kennel.Guest).Age));
        kennel = (Kennel)s_kennel.Decode(Convert.FromHexString("1b" + "52020805" + "1c" + "1b" + "0a0161" + "1c"))!;
        Assert.Equal(("a", 5), (Assert.IsType<Dog>(kennel.Guest).Name, ((Dog)kennel.Guest).Age));
    }

    [Fact]
    public void An_object_that_an_initializer_made_becomes_what_the_bytes_say()
    {
        var kennel = (Kennel)s_kennel.Decode(Convert.FromHexString("2a04" + "52020805"))!;
        Assert.Equal(("preset", 5), (Assert.IsType<Dog>(kennel.Mascot).Name, ((Dog)kennel.Mascot).Age));
    }

    [Theory]
    [InlineData("52020805" + "1a020801")] // a dog that is a fish
    [InlineData("0a0161" + "1a020801" + "5200")]
    [InlineData("5204" + "3a020900" + "1b1c")]
    public void A_message_that_is_of_two_classes_is_refused(string hex)
    {
        var exception = Assert.Throws<InvalidMessageException>(() => Decode(hex));
        Assert.StartsWith("Mux.Generators.Tests.Messages.", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void An_error_says_which_class_does_not_fit()
    {
        var exception = Assert.Throws<InvalidMessageException>(() => Decode("52020805" + "1a020801"));
        Assert.Equal(
            "Mux.Generators.Tests.Messages.Fish, byte 6: the message, or the object into which it is merged, is of another class: expected Mux.Generators.Tests.Messages.Fish.",
            exception.Message);
    }

    [Fact]
    public void A_number_that_no_class_has_is_an_unknown_field()
    {
        Assert.Equal("a", Assert.IsType<Animal>(Decode("6200" + "0a0161")).Name);
        Assert.IsType<Dog>(Decode("5203" + "a20100"));
    }

    [Fact]
    public void A_part_in_another_wire_type_is_refused()
    {
        var exception = Assert.Throws<InvalidMessageException>(() => Decode("5005"));
        Assert.Contains("Animal, field 10 (Dog), byte 1: it is written as Varint", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_member_of_a_class_in_the_middle_starts_at_the_root()
    {
        var kennel = new Kennel { Best = Puppy.Create(null, 0, 2), Young = [Puppy.Create("y", 0, 0)], Guest = new Animal(), Mascot = null! };
        Assert.Equal("0a0d" + "520b" + "3a09" + "090000000000000040" + "1207" + "5202" + "3a00" + "0a0179" + "1b1c", Encode(s_kennel, kennel));
        var read = (Kennel)s_kennel.Decode(s_kennel.Encode(kennel))!;
        Assert.Equal(2, Assert.IsType<Puppy>(read.Best).Weight);
        Assert.Equal("y", Assert.Single(read.Young!).Name);
    }

    [Theory]
    [InlineData("0a00")] // nothing says that it is a dog
    [InlineData("0a030a0161")]
    [InlineData("0a021a00")] // a fish
    [InlineData("12025200")] // a dog that is no puppy
    public void A_member_of_a_derived_class_takes_no_other_object(string hex)
    {
        var exception = Assert.Throws<InvalidMessageException>(() => s_kennel.Decode(Convert.FromHexString(hex)));
        Assert.Contains("of another class: expected ", exception.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("2200")]
    [InlineData("22020803")]
    public void An_abstract_class_without_a_part_that_says_more_is_refused(string hex)
    {
        var exception = Assert.Throws<InvalidMessageException>(() => s_kennel.Decode(Convert.FromHexString(hex)));
        Assert.Contains("Messages.Plant, byte ", exception.Message, StringComparison.Ordinal);
        Assert.Contains("is abstract", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void An_object_of_a_class_that_nothing_includes_is_refused_by_name_or_cut()
    {
        var exception = Assert.Throws<InvalidMessageException>(() => s_animal.Encode(new StrayDog()));
        Assert.Contains("Messages.Dog: the object is a Mux.Generators.Tests.Messages.StrayDog", exception.Message, StringComparison.Ordinal);
        var kennel = (Kennel)s_kennel.Decode(s_kennel.Encode(new Kennel { Plant = new Oak { Rings = 7, Height = 3 } }))!;
        Assert.Equal((7, 3), (Assert.IsType<Tree>(kennel.Plant).Rings, kennel.Plant.Height));
    }

    [Fact]
    public void A_root_of_a_derived_class_starts_at_the_base_and_takes_no_other_object()
    {
        var puppy = s_codecs.Request("Puppy");
        Assert.Equal("52023a00" + "0a0170", Encode(puppy, Puppy.Create("p", 0, 0)));
        Assert.Equal("p", ((Puppy)puppy.Decode(Convert.FromHexString("52023a00" + "0a0170"))!).Name);
        Assert.Throws<InvalidMessageException>(() => puppy.Decode(Convert.FromHexString("5200")));
        Assert.Throws<InvalidMessageException>(() => puppy.Decode([]));
    }

    [Fact]
    public void Animals_in_a_generic_message_keep_their_class_and_members_that_nobody_sees()
    {
        var codec = s_codecs.Request("Box");
        var box = (Boxed<Animal>)codec.Decode(codec.Encode(new Boxed<Animal>(new Dog { Age = 2 }, 3, Fish.Create("f", salt: true), new Animal())))!;
        Assert.Equal((2, 3, 2), (Assert.IsType<Dog>(box.First).Age, box.Count, box.Items.Count));
        Assert.IsType<Fish>(box.Items[0]);
        Assert.True(box.WasRead);
        Assert.DoesNotContain("1001", Convert.ToHexStringLower(codec.Encode(new Boxed<Animal>(new Animal(), 1))), StringComparison.Ordinal);
    }

    private static Animal Return(Animal animal) => (Animal)s_animal.Decode(s_animal.Encode(animal))!;

    private static Animal Decode(string hex) => (Animal)s_animal.Decode(Convert.FromHexString(hex))!;

    private static string Encode(MessageCodec codec, object value) => Convert.ToHexStringLower(codec.Encode(value));
}
