using System.Runtime.Serialization;
using Mux.Proto.Tests.Imported.Common;
using Mux.Proto.Tests.Imported.Scalars;

namespace Mux.Proto.Tests.Calls;

/// <summary>A message in C# with imported members.</summary>
[DataContract]
public sealed class Swatch
{
    [DataMember(Order = 1)]
    public Color Color { get; set; }

    [DataMember(Order = 2)]
    public List<Point> Points { get; } = [];

    [DataMember(Order = 3)]
    public Tree? Tree { get; set; }
}
