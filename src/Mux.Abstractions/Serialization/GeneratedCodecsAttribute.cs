using System.ComponentModel;

namespace Mux.Serialization;

/// <summary>
/// Marks an assembly whose module initializer registers codecs for classes of other assemblies. Written by the generator.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
[AttributeUsage(AttributeTargets.Assembly)]
public sealed class GeneratedCodecsAttribute : Attribute;
