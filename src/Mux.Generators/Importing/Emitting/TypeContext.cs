using Mux.Description.Proto;
using Mux.Generators.Importing.Naming;

namespace Mux.Generators.Importing.Emitting;

/// <summary>What declarations of one file have in common.</summary>
/// <param name="Names">C# names of types.</param>
/// <param name="File">The file.</param>
/// <param name="Access">C# keyword of the access to its types.</param>
internal sealed record TypeContext(CSharpNames Names, ProtoFile File, string Access);
