using Microsoft.CodeAnalysis;
using Mux.Generators.Symbols;

namespace Mux.Generators.Messages.Reading;

/// <summary>What the attributes of a message type say about the type as a whole.</summary>
/// <param name="ReadsDataMembers">Whether [DataMember] counts besides [ProtoMember], which always does.</param>
/// <param name="ReadsXmlElements">Whether [XmlElement] and [XmlArray] count, too.</param>
/// <param name="IsGroup">Whether members of this type are groups unless they say otherwise.</param>
/// <param name="SkipConstructor">Whether objects are made without a constructor.</param>
/// <param name="IgnoresSubTypes">Whether objects of derived types are written as if they were of this one.</param>
/// <param name="IgnoresListHandling">Whether a type that can be enumerated is a message all the same.</param>
internal sealed record MessageContract(
    bool ReadsDataMembers, bool ReadsXmlElements, bool IsGroup, bool SkipConstructor, bool IgnoresSubTypes, bool IgnoresListHandling)
{
    /// <summary>Of a derived class that has no attributes itself: it has no fields of its own.</summary>
    public static MessageContract Bare { get; } = new(false, false, false, false, false, false);

    /// <summary>Which members are fields without an attribute.</summary>
    public ImplicitFields Implicit { get; init; }

    /// <summary>Whether members get numbers in the order of their names; numbers of [ProtoMember] stay.</summary>
    public bool InfersNumbers { get; init; }

    /// <summary>The first number that is given away so.</summary>
    public int FirstNumber { get; init; } = 1;

    /// <summary>What is added to the numbers of [DataMember].</summary>
    public int DataMemberOffset { get; init; }

    /// <summary>What is written instead; null for the type itself.</summary>
    public INamedTypeSymbol? Surrogate { get; init; }

    /// <summary>Null if the type has no attribute that makes it a message.</summary>
    public static MessageContract? Of(INamedTypeSymbol type)
    {
        if (type.TypeKind == TypeKind.Enum) return null;
        var proto = type.FindAttribute(WellKnownNames.ProtoContract);
        bool isDataContract = type.HasAttribute(WellKnownNames.DataContract);
        bool isXmlType = type.HasAttribute(WellKnownNames.XmlType);
        if (proto is null && !isDataContract && !isXmlType) return null;

        var implicitFields = (ImplicitFields)(proto?.Number("ImplicitFields") ?? 0);
        bool protoMembersOnly = proto?.Flag("UseProtoMembersOnly") == true || implicitFields != ImplicitFields.None;
        return new MessageContract(
            isDataContract && !protoMembersOnly,
            isXmlType && !protoMembersOnly,
            proto?.Flag("IsGroup") == true,
            proto?.Flag("SkipConstructor") == true,
            proto?.Flag("IgnoreUnknownSubTypes") == true,
            proto?.Flag("IgnoreListHandling") == true)
        {
            Implicit = implicitFields,
            InfersNumbers = proto?.Flag("InferTagFromName") == true || implicitFields != ImplicitFields.None,
            FirstNumber = proto?.Number("ImplicitFirstTag") is > 0 and var first ? first : 1,
            DataMemberOffset = proto?.Number("DataMemberOffset") ?? 0,
            Surrogate = SurrogateReader.TypeOf(type, proto),
        };
    }
}
