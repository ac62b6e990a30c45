using PolyType;
using SideBySide.Contracts;

namespace SideBySide.Stacks.Rpc;

/// <summary>Serializers that are generated for the messages.</summary>
[GenerateShapeFor<Employee>]
[GenerateShapeFor<SearchEmployee>]
[GenerateShapeFor<byte[]>]
[GenerateShapeFor<IAsyncEnumerable<Employee>>]
internal sealed partial class RpcShapes;
