using Mono.Cecil;
using Mono.Cecil.Cil;
using Mux.Walk.Tests.Weaving;

namespace Mux.Walk.Tests.Law;

/// <summary>
/// Reads which types the compiled types of an assembly name: in what they derive from, in fields, signatures and
/// constraints, and in the code of methods. Constants and attributes leave no trace here.
/// </summary>
internal static class CodeReader
{
    /// <summary>All types of an assembly that are not inside another one, with what is inside them.</summary>
    /// <param name="path">The assembly; its PDB is beside it.</param>
    /// <param name="placeOf">The place of a type, by its name, its namespace and the file that declares it.</param>
    public static List<CodeType> Read(string path, Func<TypeDefinition, string?, Place> placeOf)
    {
        using var assembly = AssemblyDefinition.ReadAssembly(path);
        using var files = new SourceFiles(path);
        var types = assembly.MainModule.Types.Where(IsWritten);
        return [.. types.Select(type => Read(type, placeOf(type, FileOf(type, files))))];
    }

    /// <summary>Whether people or generators wrote it, and not the compiler.</summary>
    private static bool IsWritten(TypeDefinition type) =>
        !type.Name.Contains('<') && type.Namespace.StartsWith("Mux", StringComparison.Ordinal) || IsExtension(type);

    /// <summary>Extension methods may stand in the namespace of what they extend.</summary>
    private static bool IsExtension(TypeDefinition type) =>
        type.IsPublic && type.Namespace.StartsWith("Microsoft.", StringComparison.Ordinal);

    private static string? FileOf(TypeDefinition type, SourceFiles files)
    {
        if (files.OfType(type.MetadataToken.ToInt32()) is { } file) return file;
        foreach (var method in type.Methods)
        {
            if (method.HasBody && files.OfMethod(method.MetadataToken.ToInt32()) is { } place) return place.File;
        }

        return type.NestedTypes.Select(nested => FileOf(nested, files)).FirstOrDefault(found => found is not null);
    }

    private static CodeType Read(TypeDefinition type, Place place)
    {
        var parent = type.BaseType?.GetElementType();
        var read = new CodeType
        {
            Assembly = AssemblyOf(type),
            Name = type.FullName,
            Place = place,
            IsAbstract = type.IsAbstract,
            Base = parent is TypeDefinition ? $"{AssemblyOf(parent)}/{parent.FullName}" : null,
        };
        AddType(read, type);
        read.Names.Remove(read.Key);
        return read;
    }

    private static void AddType(CodeType reader, TypeDefinition type)
    {
        Add(reader, type.BaseType);
        foreach (var contract in type.Interfaces) Add(reader, contract.InterfaceType);
        foreach (var field in type.Fields) Add(reader, field.FieldType);
        AddConstraints(reader, type);
        foreach (var method in type.Methods)
        {
            AddSignature(reader, method);
            AddConstraints(reader, method);
            if (method.HasBody) AddCode(reader, method.Body);
        }

        foreach (var nested in type.NestedTypes) AddType(reader, nested);
    }

    private static void AddConstraints(CodeType reader, IGenericParameterProvider provider)
    {
        foreach (var parameter in provider.GenericParameters)
        {
            foreach (var constraint in parameter.Constraints) Add(reader, constraint.ConstraintType);
        }
    }

    private static void AddSignature(CodeType reader, IMethodSignature method)
    {
        Add(reader, method.ReturnType);
        foreach (var parameter in method.Parameters) Add(reader, parameter.ParameterType);
    }

    private static void AddCode(CodeType reader, MethodBody body)
    {
        foreach (var local in body.Variables) Add(reader, local.VariableType);
        foreach (var handler in body.ExceptionHandlers) Add(reader, handler.CatchType);
        foreach (var instruction in body.Instructions)
        {
            switch (instruction.Operand)
            {
                case TypeReference type:
                    Add(reader, type);
                    break;
                case FieldReference field:
                    Add(reader, field.DeclaringType);
                    Add(reader, field.FieldType);
                    break;
                case MethodReference method:
                    Add(reader, method.DeclaringType);
                    AddSignature(reader, method);
                    if (method is GenericInstanceMethod { GenericArguments: var arguments })
                    {
                        foreach (var argument in arguments) Add(reader, argument);
                    }

                    break;
            }
        }
    }

    private static void Add(CodeType reader, TypeReference? type)
    {
        switch (type)
        {
            case null or GenericParameter:
                return;
            case GenericInstanceType generic:
                foreach (var argument in generic.GenericArguments) Add(reader, argument);
                Add(reader, generic.ElementType);
                return;
            case FunctionPointerType pointer:
                AddSignature(reader, pointer);
                return;
            case IModifierType modified:
                Add(reader, modified.ElementType);
                return;
            case TypeSpecification specification:
                Add(reader, specification.ElementType);
                return;
        }

        while (type.DeclaringType is { } declaring) type = declaring;
        var assembly = AssemblyOf(type);
        if (type.Name.Contains('<')) return;
        if (assembly.StartsWith("Mux", StringComparison.Ordinal)) reader.Names.Add($"{assembly}/{type.FullName}");
        else reader.Foreign.Add(type.FullName);
    }

    private static string AssemblyOf(TypeReference type) => type.Scope switch
    {
        AssemblyNameReference reference => reference.Name,
        ModuleDefinition module => module.Assembly.Name.Name,
        _ => type.Scope.Name,
    };
}
