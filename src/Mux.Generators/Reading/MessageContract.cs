using Microsoft.CodeAnalysis;

namespace Mux.Generators.Reading;

/// <summary>What the attributes of a message type say about the type as a whole.</summary>
/// <param name="ReadsDataMembers">Whether [DataMember] counts besides [ProtoMember], which always does.</param>
/// <param name="ReadsXmlElements">Whether protobuf-net would also take members from [XmlElement] and [XmlArray].</param>
/// <param name="IsGroup">Whether members of this type are groups unless they say otherwise.</param>
/// <param name="SkipConstructor">Whether objects are made without a constructor.</param>
/// <param name="IgnoresSubTypes">Whether objects of derived types are written as if they were of this one.</param>
/// <param name="IgnoresListHandling">Whether a type that can be enumerated is a message all the same.</param>
internal sealed record MessageContract(
    bool ReadsDataMembers, bool ReadsXmlElements, bool IsGroup, bool SkipConstructor, bool IgnoresSubTypes, bool IgnoresListHandling)
{
    /// <summary>Null if the type is no message.</summary>
    public static MessageContract? Of(INamedTypeSymbol type)
    {
        if (type.TypeKind == TypeKind.Enum) return null;
        var proto = type.FindAttribute(WellKnownNames.ProtoContract);
        bool isDataContract = type.HasAttribute(WellKnownNames.DataContract);
        if (proto is null && !isDataContract) return null;

        bool protoMembersOnly = proto?.Flag("UseProtoMembersOnly") == true;
        return new MessageContract(
            isDataContract && !protoMembersOnly,
            type.HasAttribute(WellKnownNames.XmlType) && !protoMembersOnly,
            proto?.Flag("IsGroup") == true,
            proto?.Flag("SkipConstructor") == true,
            proto?.Flag("IgnoreUnknownSubTypes") == true,
            proto?.Flag("IgnoreListHandling") == true);
    }
}
