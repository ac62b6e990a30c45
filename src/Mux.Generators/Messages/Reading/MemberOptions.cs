using Microsoft.CodeAnalysis;

namespace Mux.Generators.Messages.Reading;

/// <summary>Options of [ProtoMember] and [ProtoPartialMember], from their properties or the flags of their <c>Options</c>.</summary>
/// <param name="IsPacked">True if numbers of a list are one block.</param>
/// <param name="IsRequired">True if zeros are written.</param>
/// <param name="Overwrites">True if items read replace the existing items.</param>
/// <param name="Refused">Flags that are not supported; 0 if there are none.</param>
internal readonly record struct MemberOptions(bool IsPacked, bool IsRequired, bool Overwrites, int Refused)
{
    private const int Packed = 1;
    private const int Required = 2;
    private const int AsReference = 4;
    private const int DynamicType = 8;
    private const int OverwriteList = 16;
    private const int AsReferenceHasValue = 32; // has no effect without AsReference

    /// <summary>Reads any attribute that makes a member a field; attributes of other libraries only have IsRequired.</summary>
    public static MemberOptions Of(AttributeData? attribute)
    {
        // In source order: Options replaces earlier settings, because the properties share one value.
        int flags = 0;
        foreach (var option in attribute?.NamedArguments ?? [])
        {
            flags = (option.Key, option.Value.Value) switch
            {
                ("Options", int all) => all,
                ("IsPacked", bool value) => Set(flags, Packed, value),
                ("IsRequired", bool value) => Set(flags, Required, value),
                ("OverwriteList", bool value) => Set(flags, OverwriteList, value),
                ("AsReference", bool value) => Set(flags, AsReference, value),
                ("DynamicType", bool value) => Set(flags, DynamicType, value),
                _ => flags,
            };
        }

        return new MemberOptions(
            (flags & Packed) != 0, (flags & Required) != 0, (flags & OverwriteList) != 0, flags & ~(Packed | Required | OverwriteList | AsReferenceHasValue));
    }

    /// <summary>Gets the names of the flags that are not supported.</summary>
    public string RefusedNames()
    {
        var names = new List<string>();
        if ((Refused & AsReference) != 0) names.Add("AsReference");
        if ((Refused & DynamicType) != 0) names.Add("DynamicType");
        if ((Refused & ~(AsReference | DynamicType)) is not 0 and var others) names.Add($"{others}");
        return string.Join(" and ", names);
    }

    private static int Set(int flags, int flag, bool value) => value ? flags | flag : flags & ~flag;
}
