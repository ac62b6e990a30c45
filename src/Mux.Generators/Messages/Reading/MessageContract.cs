using Microsoft.CodeAnalysis;
using Mux.Generators.Symbols;

namespace Mux.Generators.Messages.Reading;

/// <summary>Attributes of a message type about the type as a whole.</summary>
/// <param name="ReadsDataMembers">True if [DataMember] counts in addition to [ProtoMember], which always does.</param>
/// <param name="ReadsXmlElements">True if [XmlElement] and [XmlArray] count as well.</param>
/// <param name="IsGroup">True if members of this type are groups by default.</param>
/// <param name="SkipConstructor">True if objects are created without a constructor.</param>
/// <param name="IgnoresSubTypes">True if objects of derived types are written as if they were of this type.</param>
/// <param name="IgnoresListHandling">True if a type that can be enumerated is a message nevertheless.</param>
internal sealed record MessageContract(
    bool ReadsDataMembers, bool ReadsXmlElements, bool IsGroup, bool SkipConstructor, bool IgnoresSubTypes, bool IgnoresListHandling)
{
    /// <summary>Contract of a derived class without attributes: it has no fields of its own.</summary>
    public static MessageContract Bare { get; } = new(false, false, false, false, false, false);

    /// <summary>Members that are fields without an attribute.</summary>
    public ImplicitFields Implicit { get; init; }

    /// <summary>True if members get numbers in the order of their names; numbers of [ProtoMember] stay.</summary>
    public bool InfersNumbers { get; init; }

    /// <summary>First number to assign that way.</summary>
    public int FirstNumber { get; init; } = 1;

    /// <summary>Offset added to the numbers of [DataMember].</summary>
    public int DataMemberOffset { get; init; }

    /// <summary>Type to write instead; null for the type itself.</summary>
    public INamedTypeSymbol? Surrogate { get; init; }

    /// <summary>Reads the contract; null if the type has no attribute that makes it a message.</summary>
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
