using Mux.Generators.Importing.Naming;

namespace Mux.Generators.Importing.Emitting;

/// <summary>What declarations of one file have in common.</summary>
/// <param name="Names">C# names of types.</param>
/// <param name="Package">Package of the file.</param>
/// <param name="Access">C# keyword of the access to its types.</param>
internal sealed record TypeContext(CSharpNames Names, string Package, string Access);
