using Microsoft.CodeAnalysis;
using Mux.Generators.Symbols;

namespace Mux.Generators.Messages.Reading;

/// <summary>Reasons for the rejection of common types, with alternatives. All other types are simply not messages.</summary>
internal static class UnsupportedTypes
{
    /// <summary>Gets the reason, or null if there is no specific one.</summary>
    public static string? ReasonFor(ITypeSymbol type) => type switch
    {
        IArrayTypeSymbol { Rank: > 1 } => "only arrays of one dimension are supported: send the items as one array, and the lengths of its dimensions",
        IArrayTypeSymbol => "only arrays of one dimension are supported: put an inner list into a message",
        ITypeParameterSymbol => "a type parameter is not a type that can be sent",
        IDynamicTypeSymbol or { SpecialType: SpecialType.System_Object } => "the type of a value is not sent: declare a specific type",
        IPointerTypeSymbol or IFunctionPointerTypeSymbol => "a pointer has no meaning in another process",
        { IsRefLikeType: true } => "a ref struct cannot be stored",
        { TypeKind: TypeKind.Delegate } => "code cannot be sent",
        INamedTypeSymbol named => ReasonFor(named),
        _ => null,
    };

    /// <summary>Gets the reason for an item of a list.</summary>
    public static string? ReasonForItem(ITypeSymbol item)
    {
        if (item is IArrayTypeSymbol { IsSZArray: true, ElementType.SpecialType: SpecialType.System_Byte }) return null;
        return item is IArrayTypeSymbol || CollectionTypes.Of(item) is not null ? "a list cannot contain a list: put the inner list into a message" : null;
    }

    /// <summary>Gets the remedy for a type that is not a message.</summary>
    public static string RemedyFor(ITypeSymbol type) => type switch
    {
        { TypeKind: TypeKind.Interface } when type.HasAttribute(WellKnownNames.MuxCallback) =>
            "a callback is a parameter of a contract method, not a result or a part of a message",
        { TypeKind: TypeKind.Interface } => "an interface cannot be created: declare a class or record that is a message, or mark a parameter that the " +
            "handler calls back with [MuxCallback]",
        { TypeKind: TypeKind.Error } => "the compiler does not find a type of this name: see its own error",
        { DeclaringSyntaxReferences.IsEmpty: true } => "it is not declared in this project: declare your own message with the members that you need",
        _ => "mark it [DataContract] or [ProtoContract] and number its members",
    };

    /// <summary>True if protobuf-net treats the type, which can be enumerated, as bytes.</summary>
    public static bool IsBytes(INamedTypeSymbol type) =>
        type.ToFullName() == "System.ArraySegment" && type.TypeArguments[0].SpecialType == SpecialType.System_Byte;

    /// <summary>True if protobuf-net would treat the type as a list, whatever its attributes say.</summary>
    public static bool IsEnumerable(INamedTypeSymbol type)
    {
        return type.AllInterfaces.Append(type).Any(static candidate => candidate.SpecialType == SpecialType.System_Collections_IEnumerable);
    }

    private static string? ReasonFor(INamedTypeSymbol type)
    {
        switch (type.ToFullName())
        {
            case "System.DateTimeOffset":
                return "protobuf-net has no serializer for it: use a DateTime and, if you need the offset, a TimeSpan";
            case "System.Memory" or "System.ReadOnlyMemory" or "System.ArraySegment":
                return "memory is supported for bytes only: use an array";
            case "System.Version":
                return "protobuf-net has no serializer for it: use a string";
            case "System.Type":
                return "a peer could choose the type that this process loads: use a string";
            case "System.Half":
                return "protobuf has no number of this size: use a float, which holds every Half";
            case "System.Int128" or "System.UInt128":
                return "protobuf has no number of this size: use two ulong members for its upper and lower half, or a byte[]";
            case "System.Numerics.BigInteger":
                return "protobuf has no number without a limit: use a byte[], from ToByteArray()";
            case "System.Threading.Channels.Channel" or "System.Threading.Channels.ChannelWriter":
                return "of channels, only ChannelReader<T> is supported: the sending side keeps the writer";
            case "System.IO.Pipelines.Pipe" or "System.IO.Pipelines.PipeWriter" or "System.IO.Pipelines.IDuplexPipe":
                return "of pipes, only PipeReader is supported: the sending side keeps the writer";
            case WellKnownNames.MuxResult:
                return "a MuxResult is supported only as the result of a method: ValueTask<MuxResult<T>>";
            case "ProtoBuf.Grpc.CallContext" or "Grpc.Core.CallOptions" or "Grpc.Core.ServerCallContext":
                return "gRPC's options are not sent: remove the parameter, or take Mux.MuxCallOptions and a CancellationToken instead";
            case WellKnownNames.MuxCallOptions:
                return "options are not sent: declare them as a parameter of the method";
        }

        for (var parent = type.BaseType; parent is not null; parent = parent.BaseType)
        {
            if (parent.ToFullName() == WellKnownNames.Stream) return "declare it as Stream: derived types are then accepted";
        }

        return IsEnumerable(type) ? "a type that can be enumerated without an item type, or in more than one way, is not a collection" : null;
    }
}
