using Microsoft.CodeAnalysis;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Diagnostics;
using Mux.Generators.Messages.Reading;
using Mux.Generators.Symbols;

namespace Mux.Generators.Contracts.Reading;

/// <summary>Finds the affinity key of a method: a marked parameter, or a marked member of the message that the method takes.</summary>
internal sealed class KeyReader(Compilation compilation, Findings findings)
{
    private const int MaxDepth = 16; // of messages in messages: more is a circle

    private readonly KeyMembers _members = new();

    /// <summary>Reads the key of a method. Null if it has none; mistakes are in the findings.</summary>
    public KeyModel? Read(IMethodSymbol method, Signature signature)
    {
        foreach (var parameter in method.Parameters)
        {
            if (ParameterReader.RoleOf(parameter) != ParameterRole.Argument && parameter.HasAttribute(WellKnownNames.MuxKey))
                Report(parameter, parameter.Type, "only an argument that is sent with the request can be a key");
        }

        var arguments = signature.Arguments;
        var keys = Array.FindAll(arguments, static argument => argument.HasAttribute(WellKnownNames.MuxKey));
        if (keys.Length == 0) keys = Array.FindAll(arguments, argument => _members.Of(argument.Type.WithoutNullable()).Length > 0);
        if (keys.Length == 0) return null;
        if (keys.Length > 1)
        {
            findings.Report(MuxDiagnostics.SeveralKeys, keys[1], method.ToDisplay(), keys[0].Name, keys[1].Name);
            return null;
        }

        var access = arguments.Length == 1 ? "request" : $"request.{SymbolText.Escape(keys[0].Name)}";
        return Follow(keys[0], keys[0].Type, access, isNullable: false, depth: 0);
    }

    /// <param name="symbol">The parameter or member with the key.</param>
    /// <param name="type">Its type.</param>
    /// <param name="access">C# that reads it.</param>
    /// <param name="isNullable">True if what it is read from may be null.</param>
    /// <param name="depth">Number of messages around it.</param>
    private KeyModel? Follow(ISymbol symbol, ITypeSymbol type, string access, bool isNullable, int depth)
    {
        var value = type.WithoutNullable();
        bool canBeNull = !type.IsValueType || !ReferenceEquals(value, type);
        if (FormOf(value) is { } form) return new KeyModel(access, isNullable || canBeNull, form, NameOf(symbol));
        var members = _members.Of(value);
        if (members.Length > 1)
        {
            findings.Report(MuxDiagnostics.SeveralKeys, members[1], value.ToDisplay(), members[0].Name, members[1].Name);
            return null;
        }

        if (members.Length == 0 || depth == MaxDepth)
        {
            if (members.Length == 0) Report(symbol, type, HintFor(value));
            else Report(symbol.OriginalDefinition, TypeOf(symbol.OriginalDefinition), "which contains itself: its keys end in no value");
            return null;
        }

        var member = members[0];
        if (ProblemOf(member) is { } problem)
        {
            Report(member, TypeOf(member), problem);
            return null;
        }

        return Follow(member, TypeOf(member), $"{access}{(canBeNull ? "?." : ".")}{SymbolText.Escape(member.Name)}", isNullable || canBeNull, depth + 1);
    }

    private static ITypeSymbol TypeOf(ISymbol member) => member is IPropertySymbol property ? property.Type : ((IFieldSymbol)member).Type;

    private static KeyForm? FormOf(ITypeSymbol type) => type switch
    {
        INamedTypeSymbol { TypeKind: TypeKind.Enum, EnumUnderlyingType: { } underlying } => FormOf(underlying),
        { SpecialType: SpecialType.System_String } => KeyForm.AsIs,
        { SpecialType: SpecialType.System_SByte or SpecialType.System_Int16 or SpecialType.System_Int32 or SpecialType.System_Int64 } => KeyForm.Signed,
        { SpecialType: SpecialType.System_Byte or SpecialType.System_UInt16 or SpecialType.System_UInt32 or SpecialType.System_UInt64 } => KeyForm.Unsigned,
        IArrayTypeSymbol { IsSZArray: true, ElementType.SpecialType: SpecialType.System_Byte } => KeyForm.AsIs,
        INamedTypeSymbol { TypeArguments.Length: 1 } bytes when bytes.TypeArguments[0].SpecialType == SpecialType.System_Byte => bytes.ToFullName() switch
        {
            "System.ArraySegment" => KeyForm.AsIs,
            "System.Memory" or "System.ReadOnlyMemory" => KeyForm.Memory,
            _ => null,
        },
        INamedTypeSymbol named when named.HasFullName("System.Guid") => KeyForm.AsIs,
        _ => null,
    };

    private static string HintFor(ITypeSymbol type) => type is INamedTypeSymbol { SpecialType: SpecialType.None, TypeKind: TypeKind.Class or TypeKind.Struct }
        ? "a key is text, an integer, an enum, a Guid or bytes, or a message that marks one of its members with [MuxKey]"
        : "a key is text, an integer, an enum, a Guid or bytes";

    private string? ProblemOf(ISymbol member) => member switch
    {
        { IsStatic: true } => "a static member is the same for all calls",
        IPropertySymbol { IsIndexer: true } => "an indexer cannot be a key",
        IPropertySymbol { GetMethod: null } => "it has no getter",
        IPropertySymbol { GetMethod: { } getter } when compilation.IsReachable(getter) => null,
        IFieldSymbol { CanBeReferencedByName: true } when compilation.IsReachable(member) => null,
        _ => "generated code cannot read it; make it public or internal",
    };

    private void Report(ISymbol symbol, ITypeSymbol type, string hint) =>
        findings.Report(MuxDiagnostics.KeyType, symbol, NameOf(symbol), type.ToDisplay(), hint);

    private static string NameOf(ISymbol symbol) => symbol is IParameterSymbol ? symbol.Name : symbol.ToDisplay();
}
