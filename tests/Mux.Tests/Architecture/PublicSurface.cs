using System.Globalization;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace Mux.Tests.Architecture;

/// <summary>What users of an assembly can name, a line for each type and member, in an order that does not depend on the source.</summary>
internal static class PublicSurface
{
    private const BindingFlags Declared = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    private static readonly NullabilityInfoContext s_nullability = new();

    public static IEnumerable<string> Of(Assembly assembly)
    {
        foreach (var type in assembly.GetExportedTypes().OrderBy(type => type.FullName, StringComparer.Ordinal))
        {
            yield return $"{type.Namespace}: {Declaration(type)}";
            foreach (var line in Members(type).Order(StringComparer.Ordinal)) yield return "    " + line;
        }
    }

    private static string Declaration(Type type)
    {
        var bases = type.IsEnum ? [Enum.GetUnderlyingType(type)] : type.GetInterfaces().Except(type.BaseType?.GetInterfaces() ?? []).OrderBy(contract => contract.Name, StringComparer.Ordinal).ToList();
        if (type.IsClass && type.BaseType != typeof(object)) bases.Insert(0, type.BaseType!);
        var inheritance = bases.Count == 0 ? string.Empty : " : " + string.Join(", ", bases.Select(contract => TypeText.Of(contract)));
        return $"{Kind(type)} {TypeText.Of(type)}{inheritance}{TypeText.Constraints(type.GetGenericArguments())}";
    }

    private static string Kind(Type type)
    {
        if (type.IsEnum) return type.IsDefined(typeof(FlagsAttribute)) ? "flags enum" : "enum";
        if (type.IsInterface) return "interface";
        if (type.IsValueType) return (type.IsDefined(typeof(IsReadOnlyAttribute)) ? "readonly " : "") + (type.IsByRefLike ? "ref struct" : "struct");
        var noun = type.GetMethod("<Clone>$") is null ? "class" : "record";
        return type switch { { IsAbstract: true, IsSealed: true } => "static ", { IsAbstract: true } => "abstract ", { IsSealed: true } => "sealed ", _ => "" } + noun;
    }

    private static IEnumerable<string> Members(Type type)
    {
        if (type.IsEnum) return Enum.GetNames(type).Select(name => $"{name} = {Convert.ToInt64(Enum.Parse(type, name), CultureInfo.InvariantCulture)}");
        var fields = type.GetFields(Declared).Where(field => field.IsPublic || field.IsFamily || field.IsFamilyOrAssembly).Select(Field);
        var constructors = type.GetConstructors(Declared).Where(IsVisible).Select(constructor => $"{Access(constructor)}{type.Name.Split('`')[0]}({Parameters(constructor)})");
        var properties = type.GetProperties(Declared).Where(property => !IsGenerated(property) && property.GetAccessors(nonPublic: true).Any(IsVisible)).Select(Property);
        var methods = type.GetMethods(Declared).Where(method => IsVisible(method) && !IsGenerated(method) && !IsAccessor(type, method)).Select(Method);
        return fields.Concat(constructors).Concat(properties).Concat(methods);
    }

    private static string Field(FieldInfo field)
    {
        var value = field.IsLiteral ? " = " + Literal(field.GetRawConstantValue()) : string.Empty;
        var modifier = field.IsLiteral ? "const " : (field.IsStatic ? "static " : "") + (field.IsInitOnly ? "readonly " : "");
        return $"{modifier}{TypeText.Of(field.FieldType, s_nullability.Create(field))} {field.Name}{value}";
    }

    private static string Property(PropertyInfo property)
    {
        var accessors = property.GetAccessors(nonPublic: true).Where(IsVisible).Select(accessor => Access(accessor) + (accessor == property.GetMethod ? "get;" : IsInit(accessor) ? "init;" : "set;"));
        var required = property.IsDefined(typeof(RequiredMemberAttribute)) ? "required " : "";
        return $"{Modifier(property.GetAccessors(nonPublic: true)[0])}{required}{TypeText.Of(property.PropertyType, s_nullability.Create(property))} {property.Name} {{ {string.Join(' ', accessors)} }}";
    }

    private static string Method(MethodInfo method)
    {
        var generics = method.IsGenericMethod ? $"<{string.Join(", ", method.GetGenericArguments().Select(argument => argument.Name))}>" : string.Empty;
        var constraints = method.IsGenericMethod ? TypeText.Constraints(method.GetGenericArguments()) : string.Empty;
        return $"{Access(method)}{Modifier(method)}{TypeText.Of(method.ReturnType, s_nullability.Create(method.ReturnParameter))} {method.Name}{generics}({Parameters(method)}){constraints}";
    }

    private static string Parameters(MethodBase method)
    {
        var extension = method.IsDefined(typeof(ExtensionAttribute)) ? "this " : "";
        return extension + string.Join(", ", method.GetParameters().Select(Parameter));
    }

    private static string Parameter(ParameterInfo parameter)
    {
        var type = TypeText.Of(parameter.ParameterType, s_nullability.Create(parameter));
        if (parameter.ParameterType.IsByRef) type = (parameter.IsOut ? "out" : parameter.IsIn ? "in" : "ref") + type["ref".Length..];
        return $"{type} {parameter.Name}{(parameter.HasDefaultValue ? " = " + Literal(parameter.RawDefaultValue) : "")}";
    }

    private static string Literal(object? value) => value switch
    {
        null => "default",
        string text => $"\"{text}\"",
        bool truth => truth ? "true" : "false",
        _ => Convert.ToString(value, CultureInfo.InvariantCulture)!,
    };

    private static string Access(MethodBase method) => method.IsPublic ? "" : "protected ";

    private static string Modifier(MethodInfo method) => method switch
    {
        { DeclaringType.IsInterface: true } => method.IsStatic ? "static " : "",
        { IsStatic: true } => "static ",
        { IsAbstract: true } => "abstract ",
        { IsVirtual: true, IsFinal: false, DeclaringType.IsValueType: false } => method.GetBaseDefinition() == method ? "virtual " : "override ",
        _ => "",
    };

    private static bool IsVisible(MethodBase method) => method.IsPublic || ((method.IsFamily || method.IsFamilyOrAssembly) && method.DeclaringType is { IsSealed: false });

    private static bool IsGenerated(MemberInfo member) => member.IsDefined(typeof(CompilerGeneratedAttribute));

    private static bool IsAccessor(Type type, MethodInfo method) => type.GetProperties(Declared).Any(property => property.GetAccessors(nonPublic: true).Contains(method));

    private static bool IsInit(MethodInfo setter) => setter.ReturnParameter.GetRequiredCustomModifiers().Contains(typeof(IsExternalInit));
}
