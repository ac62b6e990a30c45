using System.Reflection;
using Mono.Cecil;
using Mono.Cecil.Cil;

namespace Mux.Walk.Tests.Weaving;

/// <summary>
/// Writes copies of assemblies in which every method begins with a call of <see cref="Probe.Enter"/>.
/// </summary>
internal sealed class Weaver(string folder)
{
    private static readonly MethodInfo s_enter = typeof(Probe).GetMethod(nameof(Probe.Enter))!;

    private readonly List<WovenMethod> _methods = [];

    /// <summary>
    /// All methods of all copies. Their place in the list is the number by which <see cref="Probe"/> knows them.
    /// </summary>
    public IReadOnlyList<WovenMethod> Methods => _methods;

    /// <summary>Weaves one assembly.</summary>
    /// <param name="path">The assembly, which stays as it is; its PDB is beside it.</param>
    /// <param name="choose">The types whose methods get a probe; null for all.</param>
    public void Weave(string path, Func<TypeDefinition, bool>? choose = null)
    {
        using var resolver = new DefaultAssemblyResolver();
        resolver.AddSearchDirectory(Path.GetDirectoryName(path));
        resolver.AddSearchDirectory(Path.GetDirectoryName(typeof(object).Assembly.Location));
        var parameters = new ReaderParameters { AssemblyResolver = resolver };
        using var assembly = AssemblyDefinition.ReadAssembly(path, parameters);
        using var files = new SourceFiles(path);
        var enter = assembly.MainModule.ImportReference(s_enter);
        var types = assembly.MainModule.GetTypes().Where(type => choose is null || choose(type)).ToList();

        // All methods are described before the first one changes: what is a forward depends on what others do.
        var woven = types.SelectMany(type => Describe(type, files)).ToList();
        foreach (var (method, description) in woven)
        {
            AddProbe(method, enter, _methods.Count);
            _methods.Add(description);
        }

        assembly.Write(Path.Combine(folder, Path.GetFileName(path)));
    }

    private static IEnumerable<(MethodDefinition Method, WovenMethod Description)> Describe(
        TypeDefinition type, SourceFiles files)
    {
        var file = FileOf(type, files);
        foreach (var method in type.Methods.Where(method => method.HasBody))
        {
            var (source, line) = files.OfMethod(method.MetadataToken.ToInt32()) ?? (file, 0);
            var name = $"{type.FullName.Replace('/', '.')}.{method.Name}";
            yield return (method, new WovenMethod(name, source, line, ForwardRule.IsForward(method)));
        }
    }

    private static void AddProbe(MethodDefinition method, MethodReference enter, int number)
    {
        // Branches to what was the first instruction lead behind the probe: a loop is one entry.
        var first = method.Body.Instructions[0];
        var code = method.Body.GetILProcessor();
        code.InsertBefore(first, code.Create(OpCodes.Ldc_I4, number));
        code.InsertBefore(first, code.Create(OpCodes.Call, enter));
    }

    /// <summary>The file for those methods of a type that the compiler has written.</summary>
    private static string FileOf(TypeDefinition type, SourceFiles files)
    {
        for (var declaring = type; declaring is not null; declaring = declaring.DeclaringType)
        {
            if (files.OfType(declaring.MetadataToken.ToInt32()) is { } file) return file;
            foreach (var method in declaring.Methods.Where(method => method.HasBody))
            {
                if (files.OfMethod(method.MetadataToken.ToInt32()) is { } place) return place.File;
            }
        }

        return $"{type.Module.Assembly.Name.Name}/generated";
    }
}
