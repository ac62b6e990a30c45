using Mux.Generators.Tests.Messages;

namespace Mux.Generators.Tests.Codecs;

/// <summary>Fields that are numbered elsewhere than at the member, or by their names; the bytes were compared with those of protobuf-net.</summary>
public sealed class NumberingTests
{
    private static readonly ContractCodecs<INumbering> s_codecs = new();

    [Fact]
    public void Public_members_are_numbered_by_name()
    {
        var value = new Implicit { Zeta = 1, Pinned = 2, Alpha = "a", Ignored = 3, Unseen = 4, Code = static () => { } }.WithMiddle(5);
        Assert.Equal("0a0161" + "1005" + "1801" + "4802", Return("Implicit", value));
    }

    [Fact]
    public void All_fields_are_numbered_by_name()
    {
        var value = new ImplicitFieldsOnly { Zeta = 1 };
        value.Set(alpha: 2, left: 3);
        Assert.Equal("1801" + "2002", Return("ImplicitFieldsOnly", value));
    }

    [Fact]
    public void Inferred_numbers_go_by_number_and_name()
    {
        Assert.Equal("0806" + "1001" + "1802" + "2003" + "4804", Return("Inferred", new Inferred { A = 1, B = 2, C = 3, D = 4, E = 5, F = 6 }));
    }

    [Fact]
    public void Members_may_be_numbered_by_attributes_of_the_class()
    {
        Assert.Equal("0801" + "22020102" + "2800", Return("PartlyNumbered", new PartlyNumbered { A = -1, C = [1, 2], D = 3 }));
        Assert.Equal("0801" + "22020102" + "2807" + "3809", Return("PartlyNumbered", new PartlyNumbered { A = -1, B = 9, C = [1, 2] }.With(7)));
    }

    [Fact]
    public void Attributes_of_XML_number_what_others_do_not()
    {
        Assert.Equal("1802" + "2003" + "3006" + "5801", Return("Xml", new Xml { A = 1, B = 2, C = [3], D = 4, E = 5, F = 6 }));
    }

    [Fact]
    public void Where_only_ProtoMember_counts_the_numbers_of_others_do_not()
    {
        Assert.Equal("0801", Return("ProtoMembersOnly", new ProtoMembersOnly { A = 1, B = 2 }));
    }

    [Fact]
    public void A_list_that_is_a_message_has_its_members_and_no_items()
    {
        var value = new Listed { Id = 1 };
        value.Add(7);
        Assert.Equal("0801", Return("Listed", value));
    }

    private static string Return(string method, object value)
    {
        var codec = s_codecs.Request(method);
        var bytes = codec.Encode(value);
        Assert.Equal(bytes, codec.Encode(codec.Decode(bytes)));
        return Convert.ToHexStringLower(bytes);
    }
}
